"""Measures verdicts on corpora: articles that are lost, and pages of other kinds that are found.

In here: `pages` reads the corpora and measures each page, `fit` learns the model of kinds from some of them, `limits`
chooses its limits, `study` judges every page by a model that never saw its site, and `tables` writes the results. Not
in here: the model itself (`newscrawl.article.page_kinds`). Needs scikit-learn, except with the weights of the package.
Start with `study`.
"""
