"""Measures the quality and speed of extraction.

In here: `corpora` reads corpora with gold texts, and `convert` makes them from other data sets; `systems` names our
chains, and `peers` other extractors that are installed; `scoring` compares texts; `quality` and `speed` do the work of
`newscrawl bench quality` and `newscrawl bench speed`; `document` and `svg` write tables and plots; `parallel` uses all
cores. Not in here: simulations and load tests, which are in benchmarks/. Start with `quality.study`.

The commands may import this package; no module of a crawl does.
"""
