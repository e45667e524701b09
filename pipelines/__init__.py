"""Scrapy item pipelines: each hands the item to one part of newscrawl."""
