"""The picture of the packages, drawn from the layers of the import contracts in pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from docs._scripts.pages import DOCS

PROJECT: Final = DOCS.parent / "pyproject.toml"
WIDTH: Final = 960
FLOOR: Final = 62
"""Height of one layer, the gap below it included."""
GAP: Final = 10
LEFT: Final = 34
"""Room for the number of the layer."""
SUBJECT: Final = 13
LETTER: Final = 5.2
"""Width of a letter of the small print."""
CAPTIONS: Final[Mapping[str, str]] = {
    "newscrawl.workers.processes.failpoints": "kill tests",
    "newscrawl.model.content_encoding": "bodies decoded up to a limit",
    "newscrawl.article": "for verdict rules of users",
    "newscrawl.batch": "extract_span",
    "newscrawl.feed": "for sinks of users",
    "newscrawl.identity": "for declarations",
    "newscrawl.search": "search from Python",
    "newscrawl.cli": "one module for each command",
    "pipelines": "Scrapy item pipelines",
    "spiders": "one file for each site",
    "newscrawl.mcp": "articles for language models",
    "newscrawl.web": "the operator's pages in a browser",
    "newscrawl.actions": "what commands and pages do with a site or a page",
    "newscrawl.discovery.onboarding": "add a site, check a site",
    "newscrawl.archive.reextract": "archived pages through another chain",
    "newscrawl.crawling": "everything that uses Scrapy",
    "newscrawl.demo": "a news site on loopback",
    "newscrawl.testing": "servers and projects of tests",
    "newscrawl.archive.batch": "many pages",
    "newscrawl.bench": "quality and speed",
    "newscrawl.addon": "Scrapy add-on",
    "newscrawl.archive.ingest": "WARC and HTML files",
    "newscrawl.config": "settings",
    "newscrawl.workers": "extraction in child processes",
    "newscrawl.extraction.explain": "how a page's text was chosen",
    "newscrawl.publishing.reader": "newscrawl.open",
    "newscrawl.publishing.standing_searches": "standing searches",
    "newscrawl.publishing.deliver": "sends alarms and hits",
    "newscrawl.publishing.deliver.http": "one HTTP request",
    "newscrawl.extraction.article": "page to article, verdict",
    "newscrawl.archive": "every page as WARC",
    "newscrawl.publishing.search": "full-text search",
    "newscrawl.publishing.feed": "change feed and its sinks",
    "newscrawl.reports": "what the database says, read",
    "newscrawl.storage": "everything that writes the database",
    "newscrawl.monitoring.doctor": "checks before a crawl",
    "newscrawl.monitoring.review_gate": "holds broken pages for review",
    "newscrawl.monitoring.watchdog": "runs the checks of alarms",
    "newscrawl.monitoring": "baselines and checks, pure",
    "newscrawl.extraction": "page to text: extractors, chains",
    "newscrawl.extraction.metadata": "title, authors, dates",
    "newscrawl.crawling.scheduling": "when to visit what, pure",
    "newscrawl.discovery": "feeds, sitemaps, links",
    "newscrawl.extraction.site_boilerplate": "lines that a site repeats",
    "newscrawl.extraction.site_hints": "what a declaration says of its pages",
    "newscrawl.page": "bytes to text runs",
    "newscrawl.config.logs.lines": "Log lines as text or JSON",
    "newscrawl.model.identity": "URL keys, content hashes, signatures",
    "newscrawl.model.written_dates": "dates of pages, feeds, sitemaps",
    "newscrawl.model": "values shared by packages",
    "newscrawl.workers.processes": "starting and limiting child processes",
    "newscrawl.config.extensions": "entry points, import paths",
    "newscrawl.config.logs.console": "tables, progress bars",
    "newscrawl.model.word_lists": "phrases and words, read from text files",
    "newscrawl.model.address_policy": "allowed network addresses",
    "newscrawl.errors": "every error",
    "newscrawl.model.jsonable": "values as JSON, and the keys of a view",
    "newscrawl.compiled": "the compiled core",
    "newscrawl.model.times": "credible times",
    "newscrawl.config.version": "the installed version",
    "newscrawl.config.logs.terminal": "escaped terminal output",
}
"""What a module is for, in few words; a module without a caption is drawn with its name alone."""


def layers() -> list[list[str]]:
    """The layers of the first contract, the highest first, each with its modules. Modules that may import each other
    (separated by colons) are what one package has in this layer, and its name stands for them."""
    settings = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    found = [layer.replace("|", " ").split() for layer in settings["tool"]["importlinter"]["contracts"][0]["layers"]]
    return [[layer[0].rpartition(".")[0]] if ":" in layer else layer for layer in found]


def drawing() -> str:
    """The picture as SVG: a row for each layer, a box for each module."""
    found = layers()
    height = FLOOR * len(found) + 34
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" role="img">',
        "<title>The packages of newscrawl, by layer: a module imports only from layers below it</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(
            LEFT,
            20,
            13,
            "#444444",
            "A module imports only from the layers below it, and from the rest of its own package in its own layer.",
        ),
    ]
    for place, modules in enumerate(found):
        lines += _floor(modules, len(found) - place, 32 + place * FLOOR)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _floor(modules: Sequence[str], number: int, top: int) -> list[str]:
    width = (WIDTH - LEFT - GAP * len(modules)) / len(modules)
    lines = [_text(8, top + 30, 12, "#888888", str(number))]
    for place, module in enumerate(modules):
        left = LEFT + place * (width + GAP)
        lines += _box(module, left, top, width)
    return lines


def _box(module: str, left: float, top: int, width: float) -> list[str]:
    is_package = (DOCS.parent / module.replace(".", "/")).is_dir()
    place = f'x="{left:.1f}" y="{top}" width="{width:.1f}" height="{FLOOR - GAP}" rx="5"'
    middle = left + width / 2
    caption = _wrapped(CAPTIONS.get(module, ""), int((width - 8) / LETTER))
    return [
        f'<rect {place} fill="{"#dbe9f6" if is_package else "#eef0f2"}" stroke="#9aa7b3"/>',
        _text(middle, top + 20, SUBJECT, "#111111", module.removeprefix("newscrawl."), "middle"),
        *(_text(middle, top + 35 + 11 * row, 9.5, "#444444", words, "middle") for row, words in enumerate(caption)),
    ]


def _text(x: float, y: int, size: float, colour: str, words: str, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}">{escape(words)}</text>'


def _wrapped(words: str, letters: int) -> list[str]:
    """The words in lines of at most so many letters."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) + 1 > letters and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
