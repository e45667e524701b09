"""Politeness to hosts: one request of a host at a time, with its delay, over all processes and machines.

In here: `throttle` is the queue of each host in this process. `claims` claims each host in the database for a turn, so
that no other process sends requests to it meanwhile. Not in here: how a delay changes
(`newscrawl.crawling.scheduling.host`), and the statements of a claim (`newscrawl.storage.frontier.hosts`). Start with
`throttle`.
"""
