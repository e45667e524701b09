"""The process of a crawl: what it opens, shares, shows and closes.

In here: `process` is the one place through which crawls start; `startup_checks` refuses settings that cannot be used;
`services` opens the store and the workers; `crawl_context` is what the crawls of one process share; `site_lease` is the
right to crawl a site; `progress` and `summary` are what an operator sees; `maintenance` removes what is too old. Start
with `process`.
"""
