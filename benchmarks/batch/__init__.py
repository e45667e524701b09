"""Batches on this machine's cores and on Dask workers that are killed: `python -m benchmarks.batch`."""
