"""Decides when to visit what. Everything here is pure: frozen values go in and out, and `now` is a parameter.

In here:

    host                          delay, back-off and Retry-After of a host
    robots                        what an answer to robots.txt means (RFC 9309)
    robots_rules                  which addresses its rules allow
    sources, arrival_rate         plan the next reading of a source
    cache_freshness               the earliest reading that a source allows
    revisit, announced_edits      plan the next visit of a page
    retries                       plans the next visit of a page after a failure
    site_selection, site_state    choose the sites to crawl now, from what is stored of them
    timetable                     a site's own timetable
    new_page_limit                limits the addresses never fetched before that are requested a day
    rejected_patterns             limits new addresses of directories of products, threads and the like

Not in here: carrying the decisions out (`newscrawl.crawling`). Start with `host`.

`newscrawl.storage` and everything above it may import this package.
"""
