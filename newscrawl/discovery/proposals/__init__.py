"""Proposes the declaration of a new site: its sources, its rule for articles, its language and country.

In here: `find_sources` finds feeds and sitemaps. `sources` tries them and chooses. `coverage` finds out which articles
the chosen sources leave out. `site_page` reads a page of the site. `declaration` writes the spider's file.
Start with `sources`.
"""
