"""Fetches requests: all of newscrawl's requests to the network pass through this package.

In here: `throttled_downloader` is Scrapy's downloader behind `host_throttle` (one request of a host at a time, with its
delay) and `address_guard` (no address inside the operator's network); `host_claims` says what the throttle asks of a
store, `host_memory` opens that store; `middlewares` obey robots.txt, follow redirects, repeat failed requests and limit
decompression. Not in here: the decisions, which are pure (`newscrawl.scheduling`).
Start with `throttled_downloader`.
"""
