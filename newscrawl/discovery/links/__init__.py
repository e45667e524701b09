"""Links of a page: which there are, where they lead, and which lead to articles.

Start with `extraction` for the links of a page, and with `article_urls` for what looks like an article's address.
"""
