"""What newscrawl makes of every corpus page, as digests to compare: `python -m benchmarks.digest`."""
