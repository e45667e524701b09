"""Measures the quality and speed of extraction: the work of `newscrawl bench quality` and `newscrawl bench speed`.

In here: `corpora` reads corpora with gold texts; `scores` compares two texts; `measure` scores our chains on one
corpus; `study` compares them on all corpora, with intervals, and stores the least figures; `site_boilerplate` measures
what the lines that a site repeats cost; `report` writes the results; `speed` times each step; `documents`
writes tables into documents; `parallel` uses all cores. Not in here: other extractors, HTML reports, verdicts,
training, simulations and load tests, which are in benchmarks/. Start with `study`.

 Only the command and benchmarks/ import this package.
"""
