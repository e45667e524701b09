"""The agreements of processes on several machines, made through the database.

In here: `registered` knows which processes crawl, on which machines, and whether their clocks agree; `copies` sees that
a copy of the database is crawled. Not in here: the leases of sites and the claims of hosts (`storage.frontier`). Start
with `registered`.
"""
