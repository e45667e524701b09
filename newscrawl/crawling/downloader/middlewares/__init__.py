"""The downloader middlewares of a crawl, which replace Scrapy's own.

In here: `robots` obeys robots.txt, `offsite` keeps a crawl on its site, `redirects` follows redirects, `retry` repeats
failed requests, `lazy_decoding` leaves bodies compressed until a worker reads them, `encoding_limit` limits how often a
body may be compressed. `newscrawl.config.scrapy_defaults` has their order. Not in here: delays and connections
(`crawling.downloader`), the rules of robots.txt (`newscrawl.scheduling`). Start with `robots`.
"""
