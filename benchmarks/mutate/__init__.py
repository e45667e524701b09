"""Broken pages before every chain: `python -m benchmarks.mutate`."""
