"""Measures the database as it grows, and its upgrade: `python -m benchmarks.storage.growth`, `.storage.upgrade`."""
