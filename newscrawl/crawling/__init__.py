"""Crawls with Scrapy: what a site's spider does, how its requests reach the network, and the process around both.

In here: `spider` (from a site's declaration to raw pages), `downloader` (address guard, host throttle, robots.txt,
redirects), `runtime` (what a crawl's process opens, shares and closes), `monitoring` (the watchdog), `fleet`
(`newscrawl run`), `commands` (Scrapy's own commands). Not in here: decisions without Scrapy (`newscrawl.scheduling`),
and SQL (`newscrawl.storage`). Start with `spider.news_spider`, then `downloader.throttled_downloader`.

Onboarding and the commands may import this package.
"""
