"""Decides when to visit what. Everything here is pure: frozen values go in and out, and `now` is a parameter.

In here:

    host                          delay, back-off and Retry-After of a host
    robots                        what an answer to robots.txt means, and which addresses its rules allow (RFC 9309)
    sources                       plans the next reading of a source
    revisit, announced_edits      plan the next visit of a page
    site_selection                chooses the sites to crawl now, also by a site's own timetable
    site_state                    what is stored of a site; limits the addresses never fetched before
    rejected_patterns             limits new addresses of directories of products, threads and the like

Not in here: carrying the decisions out (`newscrawl.crawling`). Start with `host`.

`newscrawl.storage` and everything above it may import this package.
"""
