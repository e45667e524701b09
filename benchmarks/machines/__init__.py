"""Several machines on one PostgreSQL database, each with its own way to the database, under faults.

In here: `proxy` is the network between a machine and the database, `machine` a `newscrawl run` with a host name, a
clock and an archive of its own, `rounds` the faults. `__main__` runs them and prints what the sites' log and the
database say. `distance` is a command of its own: batches a second against the distance of the database. Not in here:
the sites and the judgement (newscrawl.testing.fleet). Start with `rounds`.
"""
