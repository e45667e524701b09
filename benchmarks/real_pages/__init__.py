"""Real pages crawled from loopback: `python -m benchmarks.real_pages`, `.real_pages.serve_corpus`."""
