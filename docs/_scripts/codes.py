"""The reference of reason codes and counters: every slash-name in the code, with its sentence in codes.toml."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, get_args

from docs._scripts.pages import DOCS, NOTE, text
from newscrawl.model import Verdict
from newscrawl.storage.records import OutcomeType

SENTENCES: Final = Path(__file__).with_name("codes.toml")
ROOMS: Final = ("newscrawl", "pipelines", "spiders", "settings")
CODE: Final = re.compile(r"[a-z]+/[a-z0-9_]+")
BEGINNING: Final = re.compile(r"""["'}][a-z]+/""")
"""What a module has that holds a code, whole or put together: the others, seven of eight, are not parsed."""
NO_CODES: Final = re.compile(
    r"text/(?:html|plain|xml)|(?:application|image|names|scripts|dragnet|articles|downloader|scheduler)/\w+|http/\d\d\d"
)
"""Media types, names inside the weights of the learned extractors, a column of a table, Scrapy's own counters, and
single HTTP statuses, which are one line together."""
CHANGES: Final = frozenset({"title/changed", "published/changed", "verdict/changed"})
"""Made by newscrawl.discovery.onboarding.selftest from the names of fields."""


def page() -> str:
    """The page docs/reference/codes.md."""
    lines = [
        "# Reason codes and counters",
        "",
        NOTE,
        "",
        "A code says why something happened. `newscrawl why URL` shows the codes of one address. `newscrawl status`",
        "and the table at the end of a crawl count them, and `/metrics` exports the refusals. Codes keep their meaning",
        "from one release to the next. `NNN` stands for an HTTP status.",
        "",
        "## What counts as failed",
        "",
        "A request has **failed** if a page or source that should be readable could not be fetched or read. Counted",
        "separately are `http/404` and `http/410` as gone, `robots/forbidden` and `robots/too_costly` as refused,",
        "`verdict/` as no article, and `review/` as in review. Requests with `politeness/` were put off, not sent.",
    ]
    for family, sentences in read_sentences().items():
        lines += ["", f"## {family}/", "", sentences[""], ""]
        lines += [f"- `{family}/{name}`: {meaning}" for name, meaning in sorted(sentences.items()) if name]
    return text(lines)


def read_sentences() -> dict[str, dict[str, str]]:
    """The sentences of codes.toml, by family and name; the empty name is the family's own sentence."""
    found: dict[str, dict[str, str]] = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    return found


def gaps() -> list[str]:
    """Codes in the code without a sentence, and sentences whose code is gone."""
    given = {f"{family}/{name}" for family, lines in read_sentences().items() for name in lines if name}
    whole, beginnings = set(in_source()), tuple(_beginnings())
    made = {f"verdict/{each}" for each in get_args(Verdict) if each != "empty"}
    made |= {f"outcome/{each}" for each in get_args(OutcomeType)}
    lost = [f"no sentence for {code}" for code in sorted((whole | made) - given)]
    idle = [code for code in sorted(given - whole - made) if not code.startswith(beginnings) and code not in CHANGES]
    return lost + [f"{code} is no longer in the code" for code in idle]


def in_source() -> list[str]:
    """Every code that stands in the source as a whole."""
    found = {code for path in _modules() for code in _constants(path) if CODE.fullmatch(code)}
    return sorted(code for code in found if not NO_CODES.fullmatch(code))


def _beginnings() -> Iterator[str]:
    """The families whose codes the source puts together, such as f"http/{status}"."""
    for path in _modules():
        for node in _nodes(path):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                yield from re.findall(r"^[a-z]+/$", str(node.values[0].value))
            elif isinstance(node, ast.Constant) and node.value == "extractor/":
                yield node.value


def _constants(path: Path) -> Iterator[str]:
    for node in _nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@cache
def _nodes(path: Path) -> list[ast.Constant | ast.JoinedStr]:
    """The texts of a module, whole or put together."""
    source = path.read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(source)) if BEGINNING.search(source) else ()
    return [node for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr)]


def _modules() -> Iterator[Path]:
    """All modules."""
    for room in ROOMS:
        yield from sorted((DOCS.parent / room).rglob("*.py"))
