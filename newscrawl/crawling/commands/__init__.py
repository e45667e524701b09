"""Scrapy commands of this project (COMMANDS_MODULE): `scrapy crawl` with errors an operator can read."""
