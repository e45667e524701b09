"""Politeness to hosts: one request of a host at a time, with its delay, over all processes and machines.

In here: `throttle` is the queue of each host in this process. `states` is the Protocol by which the throttle loads,
claims and stores the state of a host. It has two implementations, and `open_states` chooses one: `sqlite_states` with
locks between the processes of one machine, `grants` with grants of the database for several machines, which
`grant_exchange` sends. `command_hosts` has the requests of a command, such as add-site, claim hosts as crawls do.
Not in here: how a delay changes (`newscrawl.scheduling.host`). Start with `throttle`.
"""
