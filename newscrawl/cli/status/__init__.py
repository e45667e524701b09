"""`newscrawl status`: alarms and the state of each site, as a table, JSON, CSV or one line for a monitor.

In here: `status` is the command; `report` reads in one transaction what all forms show; `table` and `lines` write for
people, `csv_rows` for spreadsheets, `check` for cron and Nagios. Start with `status`.
"""

from __future__ import annotations

from newscrawl.cli.status.status import command

__all__ = ["command"]
