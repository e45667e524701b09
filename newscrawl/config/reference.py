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

A setting is a Scrapy setting whose name begins with `NEWSCRAWL_`. Each place in this list overrides those before it:

1. The default. A line such as `NEWSCRAWL_BATCH_SIZE = setting("NEWSCRAWL_BATCH_SIZE", 100)` in a settings module is a
   default, too.
2. An environment variable of the same name, such as `NEWSCRAWL_DELAY=2`. A list is written as JSON or with commas
   between its items, a mapping as JSON.
3. A plain value in `settings/base.py` of your project, such as `NEWSCRAWL_BATCH_SIZE = 100`.
   `SCRAPY_PROJECT=production scrapy crawl ...` takes `settings/production.py` instead.
4. `custom_settings` of a site's spider, for the settings marked *per site* ([below](#for-one-site)).
5. The command line, for one crawl: `scrapy crawl example -s NEWSCRAWL_BATCH_SIZE=100`.

A value outside its range ends the command with one line before the first request. An unknown name that begins with
`NEWSCRAWL_` does the same in a settings module. In the environment it is a warning.

## For one site

```python
from newscrawl.crawling.spider import NewsSpider


class ExampleSpider(NewsSpider):
    name = "example"
    domains = ("example.org",)
    feeds = ("https://example.org/rss",)
    custom_settings = {"NEWSCRAWL_CHAIN": "best", "NEWSCRAWL_MIN_WORDS": 40}
```

`scrapy crawl` and `newscrawl run` use the values for the pages of this site, `newscrawl ingest` and `newscrawl
reextract` those of the group Extraction. A spider that sets a setting not marked *per site* is refused.
"""


def markdown() -> str:
    """Returns the page: a row for each setting, by group."""
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
    yield f"## {group.__doc__}\n\n| Setting | Type, default, range | Meaning |\n|---|---|---|"
    for attribute, meaning in meanings(group).items():
        setting = declared[attribute]
        told = (_type(setting), f"default {_default(setting)}", setting.range, _per_site(setting))
        yield f"| `{setting.name}` | {'; '.join(filter(None, told))} | {meaning.replace('|', chr(92) + '|')} |"
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
    return "per site" if setting.is_per_site else f"for a site: {setting.instead}" if setting.instead else ""


if __name__ == "__main__":
    print(markdown(), end="")
