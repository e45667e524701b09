"""Renders the templates. Every value is escaped, and none can change the direction of what stands beside it."""

from __future__ import annotations

import shlex
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from newscrawl.web import charts, wording


@cache
def environment() -> Environment:
    """Returns the environment of all templates. It is made once."""
    made = Environment(
        loader=PackageLoader("newscrawl.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=wording.shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(
        short=wording.short,
        when=wording.when,
        number=wording.number,
        size=wording.size,
        seconds=wording.seconds,
        outward=wording.outward,
        marked=wording.marked,
        with_commands=wording.with_commands,
        quoted=shlex.quote,
        interval=wording.interval,
        sparkline=charts.sparkline,
    )
    made.tests["web_address"] = wording.is_web_address
    made.globals.update(address=address, share_bar=charts.share_bar)
    return made


def render(template: str, now: datetime, **values: Any) -> bytes:
    """Returns a page in UTF-8."""
    made = environment().get_template(f"{template}.html")
    return made.render(since=wording.since(now), now=now, **values).encode("utf-8", "replace")


def compile_templates() -> None:
    """Compiles all templates, so that no view waits for that."""
    made = environment()
    for name in made.list_templates(extensions=["html"]):
        made.get_template(name)


def address(path: str, parameters: dict[str, Any] | None = None, **more: Any) -> str:
    """Returns the address of a screen with its parameters; those without a value are left out."""
    given = {**(parameters or {}), **more}
    query = urlencode({name: value for name, value in given.items() if value not in {None, ""}}, errors="replace")
    return f"{path}?{query}" if query else path


@cache
def static_file(name: str) -> bytes:
    """Returns a file of the folder static."""
    return files("newscrawl.web").joinpath("static", name).read_bytes()
