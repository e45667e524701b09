"""Title, authors and publication day against corpora that have them by hand.

A corpus is a folder with gold.jsonl (one object a line: id, url, title, authors, date_published) and pages/<id>.html.
Texts are compared without case, punctuation and white space. A day counts as right when the stated moment falls on the
gold day in some time zone (gold days are written as the site's readers see them); `same UTC day` is the strict count.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from newscrawl.identity.content import fold
from newscrawl.metadata import read_metadata
from newscrawl.metadata.dateparse import read_date
from newscrawl.model import Metadata
from newscrawl.page import parse

ZONES = (timedelta(hours=-14), timedelta(hours=12))
"""How far UTC lies from the easternmost and the westernmost zone."""


@dataclass
class Score:
    """Counts over one corpus."""

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
    utc_day: int = 0
    day_missing: int = 0
    errors: list[str] = field(default_factory=list)

    def row(self, name: str) -> str:
        """One line of the table."""
        precision, recall = self.hits / max(1, self.named), self.hits / max(1, self.gold_names)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        dated, authored = max(1, self.with_date), max(1, self.with_authors)
        wrong = self.with_date - self.day_right - self.day_missing
        return (
            f"| {name} | {self.pages} | {self.titles / max(1, self.with_title):.3f} "
            f"| {self.author_sets / authored:.3f} | {f1:.3f} "
            f"| {self.day_right / dated:.3f} | {self.utc_day / dated:.3f} | {wrong} | {self.day_missing} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True, help="folder that holds one folder a corpus")
    parser.add_argument(
        "--only", nargs="*", default=["naeb", "misinfo_crawler", "fundus_tests"], help="names of corpora"
    )
    parser.add_argument("--errors", choices=["title", "authors", "date"], help="list what is wrong")
    options = parser.parse_args()
    print("| corpus | pages | title | authors (set) | authors (F1) | day | same UTC day | day wrong | day missing |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in options.only:
        score = Score()
        for gold, metadata in _read(options.corpora / name):
            _count(score, gold, metadata, options.errors)
        print(score.row(name))
        print(*score.errors, sep="\n", end="\n" if score.errors else "")


def _read(corpus: Path) -> Iterator[tuple[dict[str, Any], Metadata]]:
    now = datetime.now(UTC)
    with (corpus / "gold.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            gold = json.loads(line)
            body = (corpus / "pages" / f"{gold['id']}.html").read_bytes()
            yield gold, read_metadata(parse(body, url=gold.get("url")), fetched_at=now)


def _count(score: Score, gold: dict[str, Any], metadata: Metadata, errors: str | None) -> None:
    score.pages += 1
    score.with_title += bool(gold.get("title"))
    if not gold.get("title"):
        pass
    elif fold(gold["title"]) == fold(metadata.title or ""):
        score.titles += 1
    elif errors == "title":
        score.errors.append(f"{gold['url']}\n    gold {gold['title']!r}\n    read {metadata.title!r}")
    if gold.get("authors"):
        _count_authors(score, gold, metadata, errors)
    if read_date(str(gold.get("date_published"))):
        _count_day(score, gold, metadata, errors)


def _count_authors(score: Score, gold: dict[str, Any], metadata: Metadata, errors: str | None) -> None:
    expected, found = {fold(a) for a in gold["authors"]}, {fold(a) for a in metadata.authors}
    score.with_authors += 1
    score.author_sets += expected == found
    score.hits += len(expected & found)
    score.named += len(found)
    score.gold_names += len(expected)
    if errors == "authors" and expected != found:
        score.errors.append(f"{gold['url']}\n    gold {gold['authors']}\n    read {metadata.authors}")


def _count_day(score: Score, gold: dict[str, Any], metadata: Metadata, errors: str | None) -> None:
    score.with_date += 1
    day = str(gold["date_published"])[:10]
    moment = read_date(str(gold["date_published"]))
    days = {day} | ({moment.when.date().isoformat()} if moment else set())
    if metadata.published is None:
        score.day_missing += 1
    else:
        when = metadata.published.when
        score.utc_day += when.date().isoformat() in days
        if any((when - shift).date().isoformat() in days for shift in (timedelta(0), *ZONES)):
            score.day_right += 1
            return
    if errors == "date":
        score.errors.append(
            f"{gold['url']}\n    gold {gold['date_published']}\n    read {metadata.published} {metadata.refused_dates}"
        )


if __name__ == "__main__":
    main()
