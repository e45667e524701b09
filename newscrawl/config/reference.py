"""The settings reference, generated from the catalogue. `python -m newscrawl.config.reference` prints it as
Markdown."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from newscrawl.config.catalogue import GROUPS
from newscrawl.config.setting import KINDS, Group, Setting

INTRODUCTION: Final = """\
# Settings

<!-- Written by `make reference`; changes by hand are lost. -->

A setting can be given in a settings module (`settings/base.py`), as an environment variable, or on the command line
(`-s NEWSCRAWL_BATCH_SIZE=100`). The command line wins. An environment variable wins over the default and over
`NEWSCRAWL_BATCH_SIZE = setting("NEWSCRAWL_BATCH_SIZE", 100)`; a plain assignment, `NEWSCRAWL_BATCH_SIZE = 100`, wins
over the environment. A list is written as JSON or with commas between its items, a mapping as JSON. A duration is in
seconds unless its name has another unit.

A value outside its range ends the command with one line before the first request. An unknown name that begins with
`NEWSCRAWL_` does the same in a settings module. In the environment it is a warning, because it may belong to another
program.

A site may have its own value if "per site" says yes, in the `custom_settings` of its spider. The value means the same
under `scrapy crawl` and `newscrawl run`. `newscrawl ingest` and `newscrawl reextract` use the values for extraction.
"""


def markdown() -> str:
    """Returns the page: a table of the settings for each group, and what each of them means."""
    lines = [line for _, group, declared in GROUPS for line in _group(group, declared)]
    return "\n".join([INTRODUCTION, *lines]).rstrip("\n") + "\n"


def meanings(group: type[Group]) -> dict[str, str]:
    """Returns the texts below the fields of a group, by attribute. They are read in its source: Python keeps none."""
    found = {}
    (described,) = ast.parse(inspect.getsource(group)).body
    for pair in pairwise(described.body if isinstance(described, ast.ClassDef) else ()):
        match pair:
            case (ast.AnnAssign(target=ast.Name(id=attribute)), ast.Expr(value=ast.Constant(value=str(text)))):
                found[attribute] = " ".join(text.split())
    return found


def _group(group: type[Group], declared: Mapping[str, Setting]) -> Iterator[str]:
    yield f"## {group.__doc__}\n"
    yield "| Setting | Type | Default | Range | Per site |"
    yield "|---|---|---|---|---|"
    for setting in declared.values():
        cells = (f"`{setting.name}`", _type(setting), _default(setting), setting.range, _per_site(setting))
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield from (f"- `{declared[attribute].name}`: {meaning}" for attribute, meaning in meanings(group).items())
    yield ""


def _type(setting: Setting) -> str:
    name, _ = KINDS[setting.kind]
    return f"{name}, {setting.unit}" if setting.unit else name


def _default(setting: Setting) -> str:
    if setting.default_text:
        return setting.default_text
    if setting.kind is bool:
        return "yes" if setting.default else "no"
    if setting.kind in {int, float}:
        return f"{setting.default:g}"
    if setting.kind is dict:
        return f"`{json.dumps(setting.default)}`"
    written = ",".join(setting.default) if setting.kind is list else setting.default
    return f"`{written}`" if written else "none"


def _per_site(setting: Setting) -> str:
    return "yes" if setting.is_per_site else f"no: {setting.instead}" if setting.instead else "no"


if __name__ == "__main__":
    print(markdown(), end="")
