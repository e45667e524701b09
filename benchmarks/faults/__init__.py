"""Commands with injected faults: `python -m benchmarks.faults`."""
