"""Measures signatures and stories of near-duplicate texts: `python -m benchmarks.near_duplicates`."""
