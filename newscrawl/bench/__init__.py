"""Measuring extraction: corpora with gold texts, other extractors, and what the parts cost.

In here: `corpora` reads corpora and `convert` makes them of other data sets; `systems` names our chains, `peers` other
people's extractors where they are installed; `scoring` says how far two texts agree; `quality` and `speed` are the work
of `newscrawl bench quality` and `newscrawl bench speed`; `document` and `svg` write tables and plots; `parallel` uses
all cores. Not in here: simulations and load tests, which are in benchmarks/. Start with `quality.study`.

The commands may import this package; no module of a crawl does.
"""
