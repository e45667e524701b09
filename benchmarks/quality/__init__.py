"""Quality of texts beside other extractors, with an HTML report: `python -m benchmarks.quality`."""
