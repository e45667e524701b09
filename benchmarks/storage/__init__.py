"""Measures the database as it grows: `python -m benchmarks.storage.growth`."""
