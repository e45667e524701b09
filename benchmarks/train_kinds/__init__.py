"""Trains the model of kinds of pages (newscrawl.extraction.article.page_kinds), and judges pages: `.verdicts` those of
all corpora, by models that never saw their sites, `.labelled` labelled pages in many languages.

In here: `pages` reads the corpora and measures each page, `fit` learns the model from some of them, `study` chooses its
limits, judges the pages and writes tables. Needs scikit-learn, except with the weights of the package.
"""
