"""What other adverts and boxes on a page change in its text: `python -m benchmarks.adverts`."""
