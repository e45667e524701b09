"""`newscrawl`: finds the command, and turns what goes wrong into one line and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import click

from newscrawl.cli.output import FULL
from newscrawl.errors import NewscrawlError, OutputError, os_reason

COMMANDS: Final = (
    "extract",
    "explain",
    "new",
    "add-site",
    "import-sites",
    "check",
    "sites",
    "run",
    "status",
    "held",
    "why",
    "history",
    "export",
    "feed",
    "forget",
    "search",
    "ingest",
    "reextract",
    "db",
    "bench",
)
"""Commands in the order of the help; each is `newscrawl.cli.NAME.command` (- as _), imported when it is needed."""

INTERRUPTED: Final = 130
"""Exit code of a process ended by Ctrl-C, as shells give it."""


class Commands(click.Group):
    """Imports a command's module only when that command runs, and reports errors without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"newscrawl.cli.{cmd_name.replace('-', '_')}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("newscrawl: interrupted", err=True)
            ctx.exit(INTERRUPTED)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        try:
            try:
                return super().main(args, *rest, **extra)
            finally:
                sys.stdout.flush()  # here it can still be told that it went nowhere
        except NewscrawlError as error:
            click.echo(f"newscrawl: {' '.join(str(error).split())}", err=True)
            sys.exit(error.exit_code)
        except KeyboardInterrupt:  # before click has anything to do with it, such as while a module is imported
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # The reader of our output (head, less) has seen enough; keep Python from complaining at exit.
            _drop_output()
            sys.exit(0)
        except OSError as error:
            if error.errno not in FULL:
                raise
            _drop_output()
            reason = os_reason(error)
            click.echo(f"newscrawl: cannot write: {reason}; make room, or write elsewhere", err=True)
            sys.exit(OutputError.exit_code)


def _drop_output() -> None:
    """What is still buffered goes nowhere: else Python complains at exit that it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """The version, and whether the compiled core is in use."""
    if wanted:
        from importlib.metadata import version

        from newscrawl.extraction.kernels import describe_core

        click.echo(f"newscrawl {version('newscrawl')}; {describe_core()}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Clean news articles from the web, each once, with their history, in SQL.

    \b
    scrapy crawl demo           crawl the news site that comes with the project
    newscrawl status            what came of it
    newscrawl extract FILE      one page's article
    """
