"""Crawls with Scrapy: the spider of a site, the path of its requests to the network, and the process around both.

In here: `spider` goes from a site's declaration to raw pages. `downloader` has address guard, host throttle, robots.txt
and redirects. `scheduling` decides when to visit what, without Scrapy. `runtime` has what a crawl's process opens,
shares and closes. `monitoring` is the watchdog, `fleet` is `newscrawl run`, `pipelines` takes pages from answer to row,
`commands` are Scrapy's own commands. Not in here: the add-on for other projects (`newscrawl.addon`), and SQL
(`newscrawl.storage`). Start with `spider.news_spider`, then `downloader.throttled_downloader`.

`newscrawl.archive.ingest` and everything above it but `newscrawl.web` may import this package. `scheduling` stands far
below: `newscrawl.storage` and everything above it may import that.
"""
