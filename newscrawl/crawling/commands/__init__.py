"""Scrapy commands of this project (COMMANDS_MODULE): `scrapy crawl` with error messages for operators.

In here: `crawl` is the only command that is replaced. Start with `crawl`.
"""
