"""What a new site's declaration should say: its sources, its rule for articles, its language and country.

In here: `find_sources` finds feeds and sitemaps; `sources` tries them and chooses; `coverage` tells what the chosen
ones leave out; `site_page`, `regions` and `locale` read a page of the site; `declaration` writes the spider's file.
Start with `sources`.
"""
