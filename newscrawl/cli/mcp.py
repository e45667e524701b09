"""`newscrawl mcp`: the stored articles for language models."""

from __future__ import annotations

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
    and texts of publishers are marked as untrusted. The command needs `pip install 'newscrawl[mcp]'`.
    """
    try:
        from newscrawl.mcp.server import make_server
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: run `pip install 'newscrawl[mcp]'`") from error
    make_server(database_of(required_config())).run("stdio")
