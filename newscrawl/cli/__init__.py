"""The command `newscrawl` and all commands below it.

In here: `main` imports the command and reports errors as one line with an exit code. A command is a module of its name
(`add_site`, `run`, `status` ...), but `control`, `extract`, `backup` and `web_mcp` have several. `batch_files` and
`ingest_files` are the work of their commands, loaded after child processes are started; `saved_searches` is a part of
`search`, `status_lines` of `status`. `common` serves several commands. Not in here: the work of a command, which is
in the packages below. Start with `main`.

 No other package of newscrawl imports this one.
"""

from __future__ import annotations

from newscrawl.workers.processes.termination import interrupt_in_one_line

interrupt_in_one_line()  # before the other imports, which may get Ctrl-C

from newscrawl.cli.main import main  # noqa: E402

__all__ = ["main"]
