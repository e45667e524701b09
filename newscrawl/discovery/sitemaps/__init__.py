"""Sitemaps and sitemap indexes: bytes in, entries out, and which of an index's children are worth reading.

In here: `read_sitemap` reads a sitemap of any kind, `xml_entries` its XML entry by entry, `child_choice` decides which
links and children are read. Start with `read_sitemap`.
"""
