"""The agreements of processes on several machines, made through the database.

In here: `registered` knows which processes crawl, and on which machines; `stopped_sessions` frees the locks of a
process that was stopped; `copies` sees that a copy of the database is crawled. Not in here: the leases of sites and the
claims of hosts (`storage.frontier`). Start with `registered`.
"""
