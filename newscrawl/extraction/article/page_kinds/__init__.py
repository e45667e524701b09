"""Decides whether a page is a listing, product, forum thread, documentation or service page instead of an article.

In here: `features` measures a page, what it declares and its URL, the places of text and links, its sections, its
repeated and its equal elements; `counts` counts its runs. `judge` reads the names of elements, the words of addresses
and English text, turns all of this into probabilities with learned weights and trees, except for pages that are
certainly articles, and says in words which measures are evidence for a kind. The weights are in `kinds.json`; `python
-m benchmarks.train_kinds` writes that file. Not in here: the rules for walls, videos and live blogs
(`newscrawl.extraction.article.verdict`), which are applied before, and the measurement of verdicts
(benchmarks/train_kinds). Start with `judge`.

Only `newscrawl.extraction.article` imports this package.
"""
