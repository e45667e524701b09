"""The command `newscrawl`: one module for each command.

In here: `main` imports the command and reports errors as one line with an exit code. Each command is a module or a
package of its name (`add_site`, `run`, `status` ...). `batch_files`, `db_prune`, `export_parquet`, `extract_files`,
`feed_filters`, `ingest_files`, `saved_searches`, `search_updates` and `why_not` are parts of the larger ones. `common`
serves several commands. Not in here: the work of a command, which is in the packages below. Start with `main`.

Only `newscrawl.testing` may import this package.
"""

from __future__ import annotations

from newscrawl.processes.termination import interrupt_in_one_line

interrupt_in_one_line()  # before the other imports, which may get Ctrl-C

from newscrawl.cli.main import main  # noqa: E402

__all__ = ["main"]
