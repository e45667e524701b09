"""What a new site's declaration should say: its sources, its rule for articles, its language and country.

Start with `sources`: it tries the sources that `find_sources` has found and chooses among them.
"""
