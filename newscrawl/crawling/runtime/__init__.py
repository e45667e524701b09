"""The process of a crawl: opens and closes the store, the archive and the workers, and shows the progress.

In here: `process` starts all crawls; `setting_checks` refuses settings that cannot be used, and a user agent without a
contact; `crawl_services` is what the crawls of a process share; `site_session` is one crawl of one site, and `services`
only its name in the settings of projects; `site_lease` keeps the lease of a site, `run_log` notes its
declaration; `repeating` does work beside the crawls, `database_upkeep` once a day that on the database; `progress` and
`summary` are the output for an operator. Start with `site_session`.
"""
