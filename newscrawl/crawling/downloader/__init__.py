"""Fetches requests: all of newscrawl's requests to the network pass through this package.

In here: `throttled_downloader` is Scrapy's downloader behind `throttle` (in this process one request of a host at a
time, with its delay), `claims` (each host claimed in the database for a turn, so that no other process sends requests
to it meanwhile) and `address_guard` (no address inside the operator's network); `scrapy_internals` has the private
names of Scrapy that are used, and the scheduler's queue, `download_handler` and `certificates` open connections,
`middlewares` obey robots.txt, follow redirects, repeat failed requests and limit decompression. Not in here: the
decisions, which are pure (`newscrawl.crawling.scheduling`), and the statements of a claim
(`newscrawl.storage.frontier.hosts`). Start with `throttled_downloader`.
"""
