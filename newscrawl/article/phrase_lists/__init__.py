"""Phrases of pages that are not complete articles, in about twenty languages.

In here: `missing`, `bot_walls` and `consent` have the phrases of one kind of page each, all in the form that `folding`
gives. Not in here: what follows from a phrase (`newscrawl.article.interstitials` and `newscrawl.article.kinds`), and
the phrases of paywalls (`newscrawl.extraction.cleanup.paywalls`). Start with `folding`. A new language needs its
phrases here, and a page in tests/article.

Only `newscrawl.article` imports this package.
"""
