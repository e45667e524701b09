"""The links of a page: which there are, where they lead, and which lead to articles.

In here: `extraction` returns the links of a page and those of a section to articles, `resolve` their addresses.
`article_urls` decides which addresses look like articles, `learned_rules` learns a site's own rule from examples.
Start with `extraction`.
"""
