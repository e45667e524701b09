"""Child processes: starts them within limits, supervises them, and exchanges messages with them.

In here: `forkserver` starts a child and passes requests to it. `supervisor` detects workers that hang or die, without
the time that they wait for a core, and limits how often that may happen. `process_names` names a process in a database
and tells whether it has ended. `termination` makes an exception of SIGTERM, and `failpoints` are where tests kill a
process. Not in here: the work of workers, and waiting for their answers (`newscrawl.workers`). Start with `supervisor`.

`newscrawl.config.extensions` and everything above it may import this package.
"""

from __future__ import annotations

from typing import Final

MIN_MEMORY_MB: Final = 512
"""MB of address space that a worker itself needs: Python, lxml, numpy and the language model."""
