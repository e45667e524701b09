"""Crawls with Scrapy: the spider of a site, the path of its requests to the network, and the process around both.

In here: `spider` goes from a site's declaration to raw pages. `downloader` has address guard, host throttle, robots.txt
and redirects. `runtime` has what a crawl's process opens, shares and closes. `monitoring` is the watchdog, `upkeep` the
daily work on the database, `fleet` is `newscrawl run`, `commands` are Scrapy's own commands. Not in here: decisions
without Scrapy (`newscrawl.crawling.scheduling`), and SQL (`newscrawl.storage`). Start with `spider.news_spider`, then
`downloader.throttled_downloader`.

Onboarding and the commands may import this package.
"""
