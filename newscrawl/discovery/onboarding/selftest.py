"""A site's self-test: pages as they were fetched, and the fields that were read from them then.

    site-tests/NAME/expected.json    URL, headers and status, title, date and text of each page
    site-tests/NAME/1.html.gz ...    their bodies

The bodies are works of the site, stored for the operator's own tests. They are written with the operator's consent
only, and not for pages with `noarchive`.
"""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.onboarding.survey import Sample
from newscrawl.discovery.proposals.sources import SourceTrial
from newscrawl.errors import UsageError
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.model import Article, Discovery, Failure, RawPage
from newscrawl.page import parse

EXPECTED: Final = "expected.json"
FORMAT: Final = 1
SHRUNK: Final = 0.9
"""Share of the frozen words below which a text counts as shortened; above its inverse, as grown."""

IDLE_HINT: Final = "hint/idle"
"""A change: a hint of the declaration matches nothing on any of the frozen pages."""

MAX_BODY: Final = 50_000_000
"""Most bytes of a frozen page after decompression: more than a crawl accepts."""

_KEPT_HEADERS: Final = ("content-type", "last-modified", "x-robots-tag")


@dataclass(frozen=True, slots=True)
class SelfTestChange:
    """A difference from the frozen state: `kind` is a stable name (text/shrunk), `where` a URL."""

    kind: str
    where: str
    detail: str


@dataclass(frozen=True, slots=True)
class FrozenReading:
    """The fields that were read from a page when it was frozen."""

    title: str | None
    published: str | None
    verdict: str
    text: str

    @classmethod
    def of(cls, article: Article) -> FrozenReading:
        """Returns the compared fields of an article."""
        published = article.metadata.published
        return cls(
            article.metadata.title, published.when.isoformat() if published else None, article.verdict, article.text
        )


@dataclass(frozen=True, slots=True)
class FrozenPage:
    """A page of a self-test."""

    raw: RawPage
    expected: FrozenReading


@dataclass(frozen=True, slots=True)
class SelfTest:
    """A site's frozen pages, and the articles that its sources listed then."""

    site: str
    pages: tuple[FrozenPage, ...]
    sources: Mapping[str, int]


def freeze(folder: Path, site: str, samples: Iterable[Sample], sources: Iterable[SourceTrial]) -> int:
    """Writes the samples that are articles as the self-test in `folder`, replacing an earlier one. Returns their
    number."""
    kept = [
        FrozenPage(sample.answer.raw_page(site, sample.candidate.discovery), FrozenReading.of(sample.article))
        for sample in samples
        if sample.article is not None and not forbids_archiving(sample)
    ]
    if kept:
        write(folder, SelfTest(site, tuple(kept), {trial.source.url: len(trial.articles) for trial in sources}))
    return len(kept)


def forbids_archiving(sample: Sample) -> bool:
    """Returns whether the page forbids archiving: noarchive or none, in X-Robots-Tag or the robots meta element."""
    answer = sample.answer
    head = parse(answer.body, url=answer.final_url, content_type=answer.headers.get("content-type")).head
    directives = [answer.headers.get("x-robots-tag", ""), *head.all("robots")]
    words = {word.strip().lower() for text in directives for word in text.split(",")}
    return not words.isdisjoint({"noarchive", "none"})


def write(folder: Path, test: SelfTest) -> None:
    """Writes a self-test beside the existing one, then replaces that."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    pages = []
    for number, page in enumerate(test.pages, start=1):
        file = f"{number}.html.gz"
        # Without the time in gzip's header, the same page always gives the same file.
        (new / file).write_bytes(gzip.compress(page.raw.body or b"", mtime=0))
        pages.append(_page_as_object(file, page))
    written = {"format": FORMAT, "site": test.site, "sources": dict(test.sources), "pages": pages}
    (new / EXPECTED).write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    new.chmod(0o755)
    if folder.exists():
        shutil.rmtree(folder)
    new.rename(folder)


def exists(folder: Path) -> bool:
    """Returns whether a folder has a self-test."""
    return (folder / EXPECTED).exists()


def load(folder: Path) -> SelfTest | None:
    """Returns the self-test in a folder; None if there is none. Raises UsageError for one that cannot be read."""
    if not exists(folder):
        return None
    file = folder / EXPECTED
    try:
        read = json.loads(file.read_text(encoding="utf-8"))
        if read["format"] != FORMAT:
            raise UsageError(f"{file} has format {read['format']!r}, this version knows {FORMAT}: add the site again")
        pages = tuple(_page_of(folder, read["site"], page) for page in read["pages"])
        return SelfTest(read["site"], pages, read["sources"])
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"cannot read the self-test {file}: {type(error).__name__}: {error}; "
            f"restore it, or make it again with --update --live"
        ) from error


def check(test: SelfTest, rule: ArticleRule, options: ArticleOptions) -> list[SelfTestChange]:
    """Returns the differences between the frozen readings and those of the present code and declaration."""
    changes: list[SelfTestChange] = []
    matches: Counter[str] = Counter()
    for page in test.pages:
        if rule.patterns and not rule.accepts(page.raw.final_url) and not rule.accepts(page.raw.url):
            changes.append(
                SelfTestChange("rule/refused", page.raw.final_url, "the site's expressions do not accept it")
            )
        made = make_article(page.raw, options)
        changes += compared(page, made)
        for match in made.article.hints if made.article is not None else ():
            matches[match.label] += match.number
    changes += [SelfTestChange(IDLE_HINT, test.site, f"{label} matches nothing on any page") for label in idle(matches)]
    return changes


def idle(matches: Counter[str]) -> list[str]:
    """Returns the hints that match nothing, given the number of elements that each matched."""
    return [label for label, number in matches.items() if not number]


def updated(test: SelfTest, options: ArticleOptions) -> SelfTest:
    """Returns the same pages with the present readings; pages that are no longer articles are left out."""
    pages = []
    for page in test.pages:
        article = make_article(page.raw, options).article
        if article is not None:
            pages.append(FrozenPage(page.raw, FrozenReading.of(article)))
    return SelfTest(test.site, tuple(pages), test.sources)


def compared(page: FrozenPage, now: Any, *, shrunk: float = SHRUNK, live: bool = False) -> list[SelfTestChange]:
    """Returns the differences of one page. For a page fetched `live`, without those of ordinary edits."""
    was, where = page.expected, page.raw.final_url
    article: Article | None = now.article
    if article is None:
        failure: Failure = now.failure
        return [SelfTestChange("text/gone", where, f"no article any more: {failure.reason} ({failure.code})")]
    new = FrozenReading.of(article)
    changes = list(_text_changes(was.text, new.text, where, shrunk, live=live))
    for field in ("title", "published", "verdict"):
        before, after = getattr(was, field), getattr(new, field)
        if before and not after:
            changes.append(SelfTestChange(f"{field}/empty", where, f"was {before}"))
        elif before != after and not live:
            changes.append(SelfTestChange(f"{field}/changed", where, f"was {before or 'empty'}, is {after}"))
    return changes


def _text_changes(was: str, new: str, where: str, shrunk: float, *, live: bool) -> Iterable[SelfTestChange]:
    if was == new:
        return
    before, after = len(was.split()) or 1, len(new.split())
    share = after / before
    # Languages without spaces have few words and long ones.
    share = min(share, len(new) / max(len(was), 1)) if share <= 1 else max(share, len(new) / max(len(was), 1))
    counted = f"{after} words, were {before}"
    if share < shrunk:
        yield SelfTestChange("text/shrunk", where, f"{counted} ({share:.0%} of it left)")
    elif not live:
        yield SelfTestChange("text/grown" if share > 1 / shrunk else "text/changed", where, counted)


def _page_as_object(file: str, page: FrozenPage) -> dict[str, Any]:
    raw, found = page.raw, page.raw.discovery
    return {
        "file": file,
        "url": raw.url,
        "final_url": raw.final_url,
        "status": raw.status,
        "headers": {name: raw.headers[name] for name in _KEPT_HEADERS if name in raw.headers},
        "fetched_at": raw.fetched_at.isoformat(),
        "source": found.source if found else None,
        "source_kind": found.kind if found else None,
        "title": page.expected.title,
        "published": page.expected.published,
        "verdict": page.expected.verdict,
        "text": page.expected.text.split("\n"),
    }


def _page_of(folder: Path, site: str, read: Mapping[str, Any]) -> FrozenPage:
    file = Path(read["file"])
    if file.name != read["file"]:
        raise ValueError(f"{read['file']!r} is not in the folder")
    with gzip.open(folder / file) as packed:
        body = packed.read(MAX_BODY)
    discovery = Discovery(read["source_kind"], read["source"]) if read["source"] else None
    fetched = datetime.fromisoformat(read["fetched_at"]).astimezone(UTC)
    raw = RawPage(read["url"], read["final_url"], read["status"], read["headers"], body, fetched, site, discovery)
    text: Sequence[str] = read["text"]
    return FrozenPage(raw, FrozenReading(read["title"], read["published"], read["verdict"], "\n".join(text)))
