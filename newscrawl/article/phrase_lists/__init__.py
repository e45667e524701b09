"""Phrases of pages that are not complete articles, in about twenty languages.

In here: `missing`, `bot_walls`, `consent` and `paywalls` have the phrases of one kind of page each, all in the form
that `folding` gives. Not in here: what follows from a phrase (`newscrawl.article.interstitials` and
`newscrawl.article.kinds`). Add the phrases of a language here, and a page of it to tests/article.
"""
