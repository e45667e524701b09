"""The agreements of processes on several machines, made through the database.

In here: `host_grants` gives each host to one process at a time; `registered` knows which processes crawl, on which
machines, and whether their clocks agree; `copies` sees that a copy of the database is crawled. Not in here: the leases
of sites (`storage.frontier`), and when a request claims its host (newscrawl.crawling.downloader.hosts.grants). Start
with `host_grants`.
"""
