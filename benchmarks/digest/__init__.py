"""Digests of what newscrawl reads in every corpus page, to compare two versions of the code: `python -m
benchmarks.digest`."""
