"""A site whose sitemaps are costly to parse, beside good ones: `python -m benchmarks.hostile_site`."""
