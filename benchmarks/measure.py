"""Scores of every system on every page: see newscrawl/bench/measure.py, which ships with the package."""

from newscrawl.bench.measure import Measured, Result, Scores, is_blankless, measure_corpus, read_case, results

__all__ = ["Measured", "Result", "Scores", "is_blankless", "measure_corpus", "read_case", "results"]
