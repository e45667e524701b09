"""Several machines on one PostgreSQL database, each with its own way to the database, under faults.

In here: `laboratory` is what a round has: its machines, each a `newscrawl run` with a host name, a clock and an archive
of its own, the sites' log and the database. `rounds` are the faults. `__main__` runs them and prints what the log and
the database say. `distance`, a command of its own, measures batches a second against the distance of the database. Not
in here: the sites and the judgement (tests/support/fleet_judgement.py). Start with `rounds`.
"""
