"""A benchmark's command line: errors are one line and an exit code, as those of `newscrawl` are."""

from __future__ import annotations

from typing import Any

import click

from newscrawl.errors import NewscrawlError


class Benchmark(click.Command):
    """A command that reports a NewscrawlError without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except NewscrawlError as error:
            click.echo(f"{ctx.info_name}: {error}", err=True)
            ctx.exit(error.exit_code)
