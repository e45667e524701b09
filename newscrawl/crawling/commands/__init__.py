"""Scrapy commands of this project (COMMANDS_MODULE): `scrapy crawl` with errors an operator can read.

In here: `crawl`, the only command that is replaced. Start with `crawl`.
"""
