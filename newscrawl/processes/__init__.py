"""Child processes: starting them, bounding them, and talking to them.

In here: the fork server, the memory limit of a process, and `child_process`, an object whose methods run in a process
of its own. Not in here: what extraction workers do with pages (`newscrawl.workers`). Start with `child_process`.

Every room above the values of `newscrawl.model` may import this one.
"""
