"""Trains the model of kinds of pages (newscrawl.article.page_kinds), and judges labelled pages in many languages."""
