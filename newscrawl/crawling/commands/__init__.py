"""Scrapy commands of this project (COMMANDS_MODULE): `scrapy crawl` with error messages for operators.

In here: `crawl` is the only command that is replaced. Start with `crawl`.
"""

from __future__ import annotations

from newscrawl.workers.processes.termination import interrupt_in_one_line

interrupt_in_one_line()  # Scrapy imports this package first; the rest takes a second, and may get Ctrl-C
