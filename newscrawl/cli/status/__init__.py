"""`newscrawl status`: alarms and the state of each site, as a table, JSON, CSV or one line for a monitor.

In here: `status` is the command, with the columns of its table; `lines` has the lines around them; `check` is for cron
and Nagios. Not in here: what is read (newscrawl.reports.status). Start with `status`.
"""

from __future__ import annotations

from newscrawl.cli.status.status import command

__all__ = ["command"]
