"""Sitemaps and sitemap indexes: reads them, and chooses which children of an index are worth reading.

In here: `read_sitemap` reads a sitemap of any kind, `child_choice` decides which links and children are read. Start
with `read_sitemap`.
"""
