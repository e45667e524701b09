"""`newscrawl doctor`: checks the settings, the machine, the database and the network, and says what to do.

In here: `doctor` is the command, which runs the checks in order; `findings` are their results; `checks` (project),
`database`, `memory`, `alarms` and `sites` are the checks. Start with `doctor`.
"""

from __future__ import annotations

from newscrawl.cli.doctor.doctor import command

__all__ = ["command"]
