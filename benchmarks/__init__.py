"""Benchmarks that anyone can run: `python -m benchmarks.quality --help`, likewise fidelity, speed, check."""
