"""From a request to its answer: whatever newscrawl asks of the network passes here.

In here: `throttled_downloader` is Scrapy's downloader behind `host_throttle` (one request of a host at a time, with
its delay) and `address_guard` (no address inside the operator's network); `middlewares` obey robots.txt, follow
redirects, repeat failed requests and bound what is decoded. The decisions are pure and lie in `newscrawl.scheduling`.
Start with `throttled_downloader`.
"""
