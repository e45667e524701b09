"""`newscrawl run` over many local sites: `python -m benchmarks.fleet`, `.fleet.idle`."""
