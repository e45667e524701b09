"""The agreements of processes on several machines, made through the database.

In here: `registered` knows which processes crawl, on which machines, and whether their clocks agree; `file_locks` has
the locks of processes of one machine. Not in here: the leases of sites and the claims of hosts (`storage.frontier`).
Start with `registered`.
"""
