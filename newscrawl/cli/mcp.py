"""`newscrawl mcp`: the stored articles for language models."""

from __future__ import annotations

import contextlib
import os
import signal
from types import FrameType

import click

from newscrawl.cli.common.project import database_option, required_config
from newscrawl.config.derived.stores import database_of
from newscrawl.errors import UsageError


@click.command(
    name="mcp",
    short_help="Let a language model read the articles (MCP).",
    epilog="""\b
Examples:
  newscrawl mcp
  newscrawl mcp --database postgresql://reader@db/news""",
)
@database_option
def command() -> None:
    """Answer the tools search, article, history, why and sites of the Model Context Protocol (MCP) on standard input
    and output.

    A program that runs a language model starts this command. The tools only read. Their answers are of limited size,
    and texts of publishers are marked as untrusted. The command needs `pip install '.[mcp]'` in newscrawl's clone.
    """
    try:
        from newscrawl.mcp.server import make_server
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: run `pip install '.[mcp]'` in newscrawl's clone") from error
    server = make_server(database_of(required_config()))
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave_at_once)
    server.run("stdio")


def _leave_at_once(number: int, frame: FrameType | None) -> None:
    """Ends the process. A thread waits in a read of standard input, and the event loop and Python would wait for it
    until the program that started the command closes the pipe. The tools only read, so nothing has to be closed."""
    with contextlib.suppress(OSError):
        os.write(2, b"newscrawl: interrupted\n")
    os._exit(128 + number)
