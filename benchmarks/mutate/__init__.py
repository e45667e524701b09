"""Damaged pages as input of every chain: `python -m benchmarks.mutate`."""
