"""Sitemaps and sitemap indexes: bytes in, entries out, and which of an index's children are worth reading."""
