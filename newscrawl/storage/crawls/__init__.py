"""Transactions of a crawl that change more than one table: its begin and end, its requests, and its daily limit.

In here: `site_crawls` notes that a crawl of a site begins and ends; `request_notes` writes what many requests have
noted; `new_page_limit` applies the daily limit of never-fetched addresses and opens its alarm; `site_boilerplate` which
machines have extracted again with the boilerplate of a site. Not in here: the tables (`storage.frontier`,
`storage.monitoring`) and when a crawl calls this (newscrawl.crawling). Start with `site_crawls`.
"""
