"""Several machines on one PostgreSQL database, each with its own way to the database, under faults.

In here: `machine` is a `newscrawl run` with a host name, a clock and an archive of its own, `laboratory` what a round
has, `rounds` the faults, with `forgetting` and `upgrading` for those that run commands. `__main__` runs them and prints
what the sites' log and the database say. Three commands of their own: `distance` measures batches a second against the
distance of the database, `throughput` articles a minute against the number of machines, `claims` the CPU time that a
request's claim of its host takes. Not in here: the sites and the judgement (tests/support/fleet_judgement.py). Start
with `rounds`.
"""
