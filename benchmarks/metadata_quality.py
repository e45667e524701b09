"""Compares title, authors and publication day with corpora that have them by hand, beside other installed systems.

A corpus is a folder with gold.jsonl (one object a line: id, url, title, authors, date_published) and pages/<id>.html.
Texts are compared without case, punctuation and white space; names that a gold joins in one string are parted. A day
counts as right when the stated moment falls on the gold day in some time zone (gold days are written as the site's
readers see them). Golds hold wrong years and days of a change: `day, stated` is the share over the pages that hold the
gold's day at all, in any spelling, and their number.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from newscrawl.extraction.metadata.read import read_metadata
from newscrawl.model.identity.content import caseless_nfkc
from newscrawl.model.written_dates.calendars import MONTHS
from newscrawl.model.written_dates.parse_date import read_date
from newscrawl.page import parse

CORPORA = ("naeb", "fundus_tests", "misinfo_crawler", "wcxb", "trafilatura_eval", "htmldate_eval")
NOW = datetime.now(UTC)
HEAD = (
    "| corpus | system | pages | title | authors (set) | authors (F1) | day | day, stated | day wrong | day missing |"
)
ZONES = (timedelta(hours=-14), timedelta(hours=12))
"""How far UTC lies from the easternmost and the westernmost zone."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system reads in one page; None if it is not asked."""

    title: str | None
    authors: tuple[str, ...] | None
    day: datetime | None


@dataclass
class Score:
    """Counts of one system over one corpus."""

    pages: int = 0
    with_title: int = 0
    titles: int = 0
    with_authors: int = 0
    author_sets: int = 0
    hits: int = 0
    named: int = 0
    gold_names: int = 0
    with_date: int = 0
    day_right: int = 0
    stated: int = 0
    stated_right: int = 0
    day_missing: int = 0
    errors: list[str] = field(default_factory=list)

    def row(self, corpus: str, system: str) -> str:
        """One line of the table."""
        precision, recall = self.hits / max(1, self.named), self.hits / max(1, self.gold_names)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        wrong = self.with_date - self.day_right - self.day_missing
        title = _share(self.titles, self.with_title if system != "htmldate" else 0)
        authors = _share(self.author_sets, self.with_authors if system != "htmldate" else 0)
        return (
            f"| {corpus} | {system} | {self.pages} | {title} | {authors} | {f'{f1:.3f}' if authors != '-' else '-'} "
            f"| {_share(self.day_right, self.with_date)} | {_share(self.stated_right, self.stated)} ({self.stated}) "
            f"| {wrong} | {self.day_missing} |"
        )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True, help="folder with one folder for each corpus")
    parser.add_argument("--only", nargs="*", default=CORPORA, help="names of corpora")
    parser.add_argument("--systems", nargs="*", default=["newscrawl"], choices=list(SYSTEMS), help="systems to measure")
    parser.add_argument("--errors", choices=["title", "authors", "date"], help="list the errors of newscrawl")
    parser.add_argument("--output", type=Path, help="also write the table to this Markdown file")
    options = parser.parse_args()
    lines = [HEAD, "|" + "---|" * (HEAD.count("|") - 1)]
    print(*lines, sep="\n")
    for name in options.only:
        scores = {system: Score() for system in options.systems}
        for gold, body in _read(options.corpora / name):
            stated = _states_day(body, gold)
            for system, score in scores.items():
                answer = SYSTEMS[system](body, gold.get("url"))
                _count(score, gold, answer, stated, options.errors if system == "newscrawl" else None)
        for system, score in scores.items():
            lines.append(score.row(name, system))
            print(lines[-1], *score.errors, sep="\n", flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read(corpus: Path) -> Iterator[tuple[dict[str, Any], bytes]]:
    with (corpus / "gold.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            gold = json.loads(line)
            yield gold, (corpus / "pages" / f"{gold['id']}.html").read_bytes()


def _newscrawl(body: bytes, url: str | None) -> Answer:
    metadata = read_metadata(parse(body, url=url), fetched_at=NOW)
    return Answer(metadata.title, metadata.authors, metadata.published.when if metadata.published else None)


def _htmldate(body: bytes, url: str | None) -> Answer:
    from htmldate import find_date

    return Answer(None, None, _day(find_date(body, original_date=True, url=url)))


def _trafilatura(body: bytes, url: str | None) -> Answer:
    from trafilatura.metadata import extract_metadata

    found = extract_metadata(body, default_url=url)
    authors = tuple(name.strip() for name in (found.author or "").split(";") if name.strip()) if found else ()
    return Answer(found.title if found else None, authors, _day(found.date if found else None))


def _newspaper(body: bytes, url: str | None) -> Answer:
    from newspaper import Article  # type: ignore[import-untyped,import-not-found,unused-ignore]

    # Told no language, it needs the word splitter of the page's; what is asked here is the same in all.
    # Told nothing of images, it loads them from the net, or tries to, which takes most of its time.
    article = Article(url or "https://example.org/", language="en", fetch_images=False)
    article.download(input_html=body.decode("utf-8", "replace"))
    article.parse()
    return Answer(article.title, tuple(article.authors), _day(str(article.publish_date or "")))


def _day(written: str | None) -> datetime | None:
    read = read_date(written) if written else None
    return read.when if read else None


SYSTEMS: Final[Mapping[str, Callable[[bytes, str | None], Answer]]] = {
    "newscrawl": _newscrawl,
    "htmldate": _htmldate,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper,
}


def _count(score: Score, gold: dict[str, Any], answer: Answer, stated: bool, errors: str | None) -> None:
    score.pages += 1
    score.with_title += bool(gold.get("title"))
    if not gold.get("title"):
        pass
    elif caseless_nfkc(gold["title"]) == caseless_nfkc(answer.title or ""):
        score.titles += 1
    elif errors == "title":
        score.errors.append(f"{gold['url']}\n    gold {gold['title']!r}\n    read {answer.title!r}")
    if gold.get("authors"):
        _count_authors(score, gold, answer, errors)
    if read_date(str(gold.get("date_published"))):
        _count_day(score, gold, answer, stated, errors)


def _count_authors(score: Score, gold: dict[str, Any], answer: Answer, errors: str | None) -> None:
    expected = {caseless_nfkc(name) for written in gold["authors"] for name in _gold_names(written)}
    found = {caseless_nfkc(a) for a in answer.authors or ()}
    score.with_authors += 1
    score.author_sets += expected == found
    score.hits += len(expected & found)
    score.named += len(found)
    score.gold_names += len(expected)
    if errors == "authors" and expected != found:
        score.errors.append(f"{gold['url']}\n    gold {gold['authors']}\n    read {answer.authors}")


def _gold_names(written: str) -> list[str]:
    """Golds of some corpora put all names into one string; split only where every piece has two words at least."""
    names = [name for name in _BETWEEN_NAMES.split(written) if name]
    return names if all(" " in name.strip() for name in names) else [written]


def _count_day(score: Score, gold: dict[str, Any], answer: Answer, stated: bool, errors: str | None) -> None:
    score.with_date += 1
    score.stated += stated
    day = str(gold["date_published"])[:10]
    moment = read_date(str(gold["date_published"]))
    days = {day} | ({moment.when.date().isoformat()} if moment else set())
    if answer.day is None:
        score.day_missing += 1
    elif any((answer.day - shift).date().isoformat() in days for shift in (timedelta(0), *ZONES)):
        score.day_right += 1
        score.stated_right += stated
        return
    if errors == "date":
        score.errors.append(f"{gold['url']}\n    gold {gold['date_published']}\n    read {answer.day}")


def _states_day(body: bytes, gold: dict[str, Any]) -> bool:
    """Returns whether the page or its address contains the gold's day in any usual spelling."""
    written = read_date(str(gold.get("date_published")))
    if written is None:
        return False
    when = datetime(written.when.year, written.when.month, written.when.day, tzinfo=UTC)
    html = f"{gold.get('url')} {body.decode('utf-8', 'replace')}".casefold()
    if any(_spellings(when).search(html[max(0, at - 40) : at + 40]) for at in _places(html, when)):
        return True
    start = int(when.timestamp())
    return any(start <= int(found) < start + 86_400 for found in _SECONDS.findall(html))


def _places(html: str, when: datetime) -> Iterator[int]:
    """Where the year stands, in four figures or behind a stroke in two: the pattern is slow on a whole page."""
    short = f"{when.year % 100:02d}"
    for found in re.finditer(rf"{when.year}|[-/._|]\s?{short}(?!\d)", html):
        yield found.start()


@lru_cache(maxsize=8)
def _spellings(when: datetime) -> re.Pattern[str]:
    year, month, day = when.year, when.month, when.day
    names = "|".join(sorted((re.escape(n) for n, number in MONTHS.items() if number == month), key=len, reverse=True))
    short = f"(?:{year}|{year % 100:02d})"
    return re.compile(
        rf"(?<!\d){year}[-/._]?0?{month}[-/._]?0?{day}(?!\d)|(?<!\d){year}{month:02d}{day:02d}"
        rf"|(?<!\d)0?{day}\s?[-/._|]\s?0?{month}\s?[-/._|]\s?{short}(?!\d)"
        rf"|(?<!\d)0?{month}[-/._]0?{day}[-/._]{short}(?!\d)"
        rf"|(?<!\d)0?{day}(?:st|nd|rd|th|\.|º)?[\s/.,_-]*(?:de |of )?(?:{names})\.?[\s/.,_-]*(?:de |del )?{year}"
        rf"|(?:{names})[\s.,/_-]*0?{day}(?:st|nd|rd|th)?\D{{1,12}}{year}"
        rf"|{year}\s*[年년.]\s*0?{month}\s*[月월.]\s*0?{day}",
        re.IGNORECASE,
    )


_BETWEEN_NAMES: Final = re.compile(r"\s*(?:[,;]\s*(?:and\s)?|\s(?:and|und|&|with)\s)\s*", re.IGNORECASE)
_SECONDS: Final = re.compile(r"(?<!\d)(1\d{9})(?:\d{3})?(?!\d)")


if __name__ == "__main__":
    main()
