"""Measures a crawl: the real pipeline and the same Scrapy without a pipeline, on a local server.

__main__   `python -m benchmarks.crawl`: options and tables
measure    starts each crawl and reads its figures
child      the crawl that measures itself, in a process of its own
server     many sites on loopback, in a process of their own
"""
