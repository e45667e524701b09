"""Child processes: starting them under limits, supervising them, and talking to them.

In here: `forkserver` starts a child and gives it its requests; `supervisor` notices workers that hang or die and bounds
how often that may happen; `cpu_wait` is what a time-out does not count; `child_process` is an object whose methods run
in a process of its own, as storage and archive use it. Not in here: what workers do, and who waits for their answers
(`newscrawl.workers`, `newscrawl.ingest.worker_pool`). Start with `supervisor`.

Every package above the values of `newscrawl.model` may import this one.
"""

from __future__ import annotations

from typing import Final

LEAST_MEMORY_MB: Final = 512
"""Address space that a worker needs for itself: Python, lxml, numpy and the language model."""
