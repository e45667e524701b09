"""`newscrawl web` and `newscrawl mcp`: the operator's pages in a browser, and the articles for language models."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from functools import partial
from pathlib import Path
from types import FrameType

import click

from newscrawl.cli.common.project import database_option, named_database, required_config
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.derived.stores import database_of, store_of
from newscrawl.crawling.runtime.archive import folder_of, machine_of, store_address_of
from newscrawl.errors import UsageError


@click.command(
    epilog="""\b
Examples:
  newscrawl web
  newscrawl web --listen 127.0.0.1:9000 --database postgresql://user@host/news
  NEWSCRAWL_WEB_TOKEN=... newscrawl web --listen 0.0.0.0:8787 --origin https://news.example.org""",
)
@click.option(
    "--listen",
    default="127.0.0.1:8787",
    show_default=True,
    metavar="ADDRESS:PORT",
    help="Where to listen. Port 0 is any free one. An address that other machines reach needs a token.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="The address under which a reverse proxy shows the pages, as https://news.example.org. Can be repeated.",
)
@click.option(
    "--actions",
    is_flag=True,
    help="Let the pages act: pause, resume and accept sites, release, forget and extract again pages, survey new "
    "sites, make and revoke addresses of feeds.",
)
@database_option
def web(listen: str, origins: tuple[str, ...], *, actions: bool) -> None:
    """Show alarms, sites and articles as pages in a browser, and the same as JSON for programs.

    The command prints an address that logs a browser in. It works once, within ten minutes. Programs, and browsers
    later, log in with the token in the environment variable NEWSCRAWL_WEB_TOKEN (Authorization: Bearer TOKEN).

    The pages are read-only, unless --actions is given. The command needs `pip install '.[web]'` in newscrawl's clone.
    """
    try:
        from newscrawl.web.server import serve
        from newscrawl.web.settings import TOKEN_VARIABLE, WebSettings, read_listening, read_origin
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: run `pip install '.[web]'` in newscrawl's clone") from error
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s: %(message)s")
    config = required_config()
    settings = WebSettings(
        database_url=database_of(config),
        listening=read_listening(listen),
        origins=tuple(map(read_origin, origins)),
        token=os.environ.get(TOKEN_VARIABLE, ""),
        actions=actions,
        archive_folder=folder_of(config),
        options=options_of(config),
        review_chains=config.monitoring.review_chains,
        machine=machine_of(config),
        store_address=store_address_of(config),
        project=Path.cwd() if named_database() is None else None,
        open_store=partial(store_of, config),
    )
    serve(settings, click.echo)


@click.command(
    epilog="""\b
Examples:
  newscrawl mcp
  newscrawl mcp --database postgresql://reader@db/news""",
)
@database_option
def mcp() -> None:
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
