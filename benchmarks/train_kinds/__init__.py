"""Training and measuring the model of kinds of pages (newscrawl.article.page_kinds)."""
