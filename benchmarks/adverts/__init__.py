"""Measures how other adverts and boxes on a page change its text: `python -m benchmarks.adverts`."""
