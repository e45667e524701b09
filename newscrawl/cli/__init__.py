"""The command `newscrawl`: one module for each command.

In here: `main` imports the command and reports errors as one line with an exit code. Each command is a module of its
name (`add_site`, `run`, `why` ...); `bench_speed`, `db_prune`, `export_parquet`, `ingest_files` and
`why_not` are parts of the larger ones. `installed_names`, `options`, `output`, `project`, `saying`, `words` and
`work` serve several commands. Not in here: the work of a command, which is in the packages below. Start with `main`.

Only `newscrawl.testing` may import this package.
"""

from __future__ import annotations

from newscrawl.cli.main import main

__all__ = ["main"]
