"""Links of a page: which there are, where they lead, and which lead to articles.

In here: `extraction` gives the links of a page, `resolve` their addresses; `article_urls` says which addresses look
like articles, by the marks in `url_shapes` or by `learned_rules`; `sections` and `front_pages` read section pages and
home pages. Start with `extraction`.
"""
