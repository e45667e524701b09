"""The settings reference, generated from the catalogue. `python -m newscrawl.config.reference` prints it as
Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from newscrawl.config.catalogue import Setting, groups
from newscrawl.config.catalogue.kinds import FLAG, LIST, MAPPING, NUMBER, WHOLE

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
    lines = [line for _, group, declared in groups() for line in _group(group, declared)]
    return "\n".join([INTRODUCTION, *lines]).rstrip("\n") + "\n"


def _group(group: type, declared: Mapping[str, Setting]) -> Iterator[str]:
    yield f"## {group.__doc__}\n"
    yield "| Setting | Type | Default | Range | Per site |"
    yield "|---|---|---|---|---|"
    for setting in declared.values():
        cells = (f"`{setting.name}`", _type(setting), _default(setting), setting.range, _per_site(setting))
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield from (f"- `{setting.name}`: {setting.doc}" for setting in declared.values())
    yield ""


def _type(setting: Setting) -> str:
    return f"{setting.kind.name}, {setting.unit}" if setting.unit else setting.kind.name


def _default(setting: Setting) -> str:
    if setting.default_text:
        return setting.default_text
    if setting.kind is FLAG:
        return "yes" if setting.default else "no"
    if setting.kind in (WHOLE, NUMBER):
        return f"{setting.default:g}"
    if setting.kind is MAPPING:
        return f"`{json.dumps(dict(setting.default))}`"
    written = ",".join(setting.default) if setting.kind is LIST else setting.default
    return f"`{written}`" if written else "none"


def _per_site(setting: Setting) -> str:
    return "yes" if setting.is_per_site else f"no: {setting.instead}" if setting.instead else "no"


if __name__ == "__main__":
    print(markdown(), end="")
