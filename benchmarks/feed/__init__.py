"""Change feed and search index: `python -m benchmarks.feed.faults`, `.feed.writers`, `.feed.consumer`."""
