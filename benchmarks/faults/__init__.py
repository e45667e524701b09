"""Commands with a fault put below them: `python -m benchmarks.faults`."""
