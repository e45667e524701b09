"""The tables of the papers, and the worst pages: `python -m benchmarks.quality`, `.quality.worst`."""
