"""Bulk ingestion of WARC files and folders: `python -m benchmarks.ingest`."""
