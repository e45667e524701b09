"""`newscrawl`: imports the command and reports errors as one line with an exit code."""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import importlib
import os
import select
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

import click

from newscrawl.cli.common.output import FULL
from newscrawl.config.logs.terminal import guard_terminals
from newscrawl.errors import NewscrawlError, OutputError, UsageError, meant, os_reason
from newscrawl.workers.processes.termination import exit_code, raising_terminated

SECTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "Extract pages": {
        "extract": "Extract the article of one page.",
        "explain": "Show as HTML why text of a page was kept or not.",
        "batch": "Extract WARC files into tables, on many machines.",
        "extensions": "List your own extractors, chains, sinks and verdict rules.",
    },
    "Sites": {
        "new": "Write a new project into a folder.",
        "add-site": "Add a news site: its feeds, sitemaps and articles.",
        "import-sites": "Add every site of a CSV or OPML file.",
        "sites": "List the sites with a declaration in spiders/.",
        "hints": "Try a site's hints, or import them from a file.",
        "check": "Compare saved sample pages with the expected texts.",
        "learn": "Learn which lines a site repeats, and leave them out.",
    },
    "Crawl": {
        "run": "Crawl sites continuously, each when it is due.",
        "pause": "Stop crawling a site, for a while or until resumed.",
        "resume": "Crawl a paused site again.",
        "priority": "Choose a site before or after others.",
        "budget": "Set how many requests a day a site gets.",
    },
    "Read articles": {
        "search": "Find stories by their words.",
        "export": "Write the articles as JSON Lines, CSV or Parquet.",
        "feed": "Send changes to a file, webhook or search server.",
        "feed-address": "Make or revoke secret addresses of feeds.",
        "history": "Show the versions of one page.",
        "web": "Show the crawl in a browser.",
        "mcp": "Let a language model read the articles (MCP).",
    },
    "Find out what happened": {
        "status": "Show alarms and the state of each site.",
        "why": "Show what happened to one URL or site, and why.",
        "review": "List or release pages that wait for review.",
        "doctor": "Check settings, database, machine and sites.",
    },
    "Stored pages": {
        "ingest": "Store pages from WARC, HTML or Parquet files.",
        "archive": "Maintain the raw archive of this machine.",
        "reextract": "Extract archived pages again, with another chain.",
        "forget": "Remove a page or a site permanently.",
    },
    "Operate": {
        "db": "Maintain the database.",
        "backup": "Copy the database during crawls.",
        "restore": "Restore the database from a copy.",
        "machines": "List the machines that crawl, or remove one.",
    },
    "Measure": {
        "bench": "Measure quality and speed.",
    },
}
"""The sections of the help, in its order: commands and their lines. The help therefore imports no command. A command is
`newscrawl.cli.NAME.command` (with _ for -), but for those of `TOGETHER`."""

COMMANDS: Final[Mapping[str, str]] = {name: line for lines in SECTIONS.values() for name, line in lines.items()}
"""All commands and their lines."""

TOGETHER: Final[Mapping[str, str]] = {
    **dict.fromkeys(("pause", "resume", "priority", "budget"), "control"),
    **dict.fromkeys(("extract", "explain"), "extract"),
    **dict.fromkeys(("web", "mcp"), "web_mcp"),
    **dict.fromkeys(("backup", "restore"), "backup"),
}
"""Commands that share a module, with its name. The function of such a command has the name of the command."""

UNUSABLE: Final = frozenset({errno.ENAMETOOLONG, errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENOTDIR})
"""Errors of a file or folder that a user names or must allow. Commands report most of them; the first look at
a name, such as whether it is a folder, may already fail."""


class Commands(click.Group):
    """Imports a command's module only when that command runs, and reports errors without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name == "run" and os.environ.get("NEWSCRAWL_LOG_FORMAT") == "json":
            from newscrawl.config.logs.lines import write_json

            write_json()  # before the settings are read, so that an error of theirs is JSON
        module = TOGETHER.get(cmd_name, cmd_name.replace("-", "_"))
        found = importlib.import_module(f"newscrawl.cli.{module}")
        command: click.Command = getattr(found, cmd_name if cmd_name in TOGETHER else "command")
        command.name, command.short_help = cmd_name, COMMANDS[cmd_name]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):  # click does not know the names
            raise UsageError(f"no such command {name!r}; {meant(name, COMMANDS)}`newscrawl --help` explains it")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))  # the lines of all sections begin in the same column
        for title, lines in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), line) for name, line in lines.items()])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with _usage_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _usage_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            with contextlib.suppress(OSError):  # the terminal may be closed
                click.echo("newscrawl: interrupted", err=True)
            ctx.exit(exit_code(error))
        except BrokenPipeError:  # click would exit with 1
            if not _is_output_closed():
                raise
            _drop_output()
            ctx.exit()

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        guard_terminals()
        atexit.register(gc.freeze)  # else Python's end looks for garbage in all that was loaded: a fifth of the CPU
        try:
            with raising_terminated():
                try:
                    return super().main(args, *rest, **extra)
                finally:
                    sys.stdout.flush()  # a failed write can still be reported here
        except NewscrawlError as error:
            _end(error)
        except KeyboardInterrupt as error:  # before click handles it, such as during an import
            sys.exit(exit_code(error))
        except BrokenPipeError:
            # The reader of the output (head, less) has ended. Python must not report this at exit.
            _drop_output()
            sys.exit(0)
        except OSError as error:
            if error.errno in UNUSABLE and error.filename is not None:
                place = os.fsdecode(error.filename)
                _end(UsageError(f"cannot use {place}: {os_reason(error)}; allow it, or name another place"))
            if error.errno not in FULL:
                raise
            _drop_output()
            reason = os_reason(error)
            click.echo(f"newscrawl: cannot write: {reason}; make room, or write elsewhere", err=True)
            sys.exit(OutputError.exit_code)


def _end(error: NewscrawlError) -> NoReturn:
    """Prints the error as one line and ends the process with its exit code."""
    from newscrawl.config.logs.lines import print_line

    print_line(f"newscrawl: {' '.join(str(error).split())}")
    sys.exit(error.exit_code)


@contextlib.contextmanager
def _usage_errors() -> Iterator[None]:
    """Raises UsageError for click's errors about arguments and options, so that they get the form of all errors. A
    command that click answers with its help, because it was given no arguments, is left to click."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        problem = error.format_message().rstrip(".")
        command = error.ctx.command_path if error.ctx is not None else "newscrawl"
        raise UsageError(f"{problem[:1].lower()}{problem[1:]}; `{command} --help` explains it") from error


def _is_output_closed() -> bool:
    """Returns whether the reader of the output has ended."""
    state = select.poll()
    state.register(sys.stdout.fileno(), 0)  # errors are always told
    return bool(state.poll(0))


def _drop_output() -> None:
    """Discards buffered output. Otherwise Python reports at exit that it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Shows the version and whether the compiled core is used."""
    if wanted:
        from importlib.metadata import version

        from newscrawl.page.compiled import describe_core

        click.echo(f"newscrawl {version('newscrawl')}; {describe_core()}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`newscrawl COMMAND --help` explains a command and has examples.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Crawl news sites and store each article once in SQL, with its versions.

    \b
    scrapy crawl demo           crawl the news site that comes with the project
    newscrawl status            show alarms and the state of each site
    newscrawl extract FILE      extract the article of one page
    """
