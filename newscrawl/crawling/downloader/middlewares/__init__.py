"""The downloader middlewares of a crawl, which replace Scrapy's own.

In here: `robots` obeys robots.txt, `offsite` keeps a crawl on its site, `redirects` follows redirects, `retry` repeats
failed requests, `decompression` decompresses bodies within limits. `newscrawl.config.scrapy_defaults` has their order.
Not in here: delays and connections (`crawling.downloader`), the rules of robots.txt (`newscrawl.crawling.scheduling`).
Start with `robots`.
"""
