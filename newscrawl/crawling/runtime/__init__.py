"""The process of a crawl: opens and closes the store, the archive and the workers, and shows the progress.

In here: `process` starts all crawls; `startup_checks` refuses settings that cannot be used; `services` opens the store
and the workers; `crawl_context` is the state that the crawls of one process share; `site_lease` keeps the lease of a
site; `progress` and `summary` are the output for an operator. Start with `process`.
"""
