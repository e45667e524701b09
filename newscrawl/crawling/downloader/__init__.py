"""Fetches requests: all of newscrawl's requests to the network pass through this package.

In here: `throttled_downloader` is Scrapy's downloader behind the host throttle (`hosts`: one request of a host at a
time, with its delay) and `address_guard` (no address inside the operator's network); `scrapy_internals` has the private
names of Scrapy that are used, and the scheduler's queue, `download_handler` and `certificates` open connections,
`local_handler` opens those to a server of this machine, `robots_store` keeps robots.txt files, `middlewares` obey
robots.txt, follow redirects, repeat failed requests and limit decompression. Not in here: the decisions, which are pure
(`newscrawl.crawling.scheduling`). Start with `throttled_downloader`.
"""
