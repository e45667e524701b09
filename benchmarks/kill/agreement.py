"""Whether SQL, archive, change feed and search index hold the same after a kill."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from newscrawl import reports
from newscrawl.archive.read import Archived, groups, load
from newscrawl.search import Filters, open_index, parse_query
from newscrawl.storage.captures import locations
from newscrawl.storage.reader import open_reader


@dataclass(frozen=True, slots=True)
class Place:
    """Where everything of the rounds is."""

    database: str
    folder: Path
    most: int | None = None
    """Bytes the archive may hold; with a limit, it need not have what SQL has."""

    @property
    def archive(self) -> Path:
        return self.folder / "archive"

    @property
    def changes(self) -> Path:
        return self.folder / "changes.jsonl"

    @property
    def wish(self) -> Path:
        """The address that is being forgotten: the operator asks again after a kill."""
        return self.folder / "forget"


def problems(place: Place) -> Iterator[str]:
    """What does not agree."""
    with open_reader(place.database) as connection:
        current = {article.id: article for article in reports.articles(connection)}
        files = {file.id: file for file in locations.files(connection)}
        rows = [row for number in files for row in locations.captures_of_file(connection, number)]
        if connection.dialect.name == "sqlite":
            broken = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
            yield from [] if broken == "ok" else [f"integrity check: {broken}"]
    yield from _archive_problems(place, files, rows, current)
    yield from _feed_problems(place, current)
    with contextlib.closing(open_index(place.database)) as index:
        for number, article in current.items():
            word = article.text.split()[-4] if "editor" in article.text else None
            if word is not None and [one.article_id for one in index.matches(parse_query(word), Filters(), 9)] != [
                number
            ]:
                yield f"article {number} is not in the index as it is"
        found = {one.article_id for one in index.matches(parse_query("ferry"), Filters(), 10_000)}
        yield from [] if found == set(current) else [f"the index has {sorted(found ^ set(current))} wrong"]


def _archive_problems(
    place: Place,
    files: dict[int, locations.ArchiveFile],
    rows: list[locations.StoredCapture],
    current: dict[int, reports.ExportedArticle],
) -> Iterator[str]:
    on_disk = {path.name for path in place.archive.iterdir()}
    if on_disk != {file.name for file in files.values()}:
        yield f"files on the disk and in SQL differ: {sorted(on_disk ^ {file.name for file in files.values()})}"
        return
    shown: set[tuple[int, str]] = set()
    for row in rows:
        spot = row.capture.body
        if spot is None:
            if place.most is None or row.capture.kind != "revisit":  # what it repeats may be gone by the limit
                yield f"capture {row.id} has no bytes"
            continue
        where = Archived(
            str(place.archive), files[spot.file].name, spot.offset, row.url, None, "", row.fetched_at, row.capture
        )
        body = (load(where, 1 << 20).body or b"").decode()
        if row.article_id in current:
            shown.add((row.article_id, row.url))
            if body != f"<p>{current[row.article_id].text}</p>":
                yield f"the archive has other bytes of {row.url} than article {row.article_id}"
    whole = set()
    for number, file in files.items():
        with (place.archive / file.name).open("rb") as opened:
            whole |= {(number, group.offset, group.length) for group in groups(opened)}
    known = {
        (spot.file, spot.offset, spot.length) for row in rows for spot in (row.capture.spot, row.capture.body) if spot
    }
    if known - whole:
        yield f"{len(known - whole)} captures are in SQL alone"
    if place.most is None:
        yield from [] if whole == known else [f"{len(whole - known)} captures are on the disk alone"]
        told = {(number, url) for number, article in current.items() for url in article.pages}
        yield from (f"{url} shows article {number} and no capture does" for number, url in sorted(told - shown))


def _feed_problems(place: Place, current: dict[int, reports.ExportedArticle]) -> Iterator[str]:
    told: dict[int, tuple[str, int]] = {}
    for line in place.changes.read_text(encoding="utf-8").splitlines():
        try:
            change = json.loads(line)
        except ValueError:
            continue  # half written when the process died; it comes again
        if change["op"] == "remove":
            told.pop(change["article_id"], None)
        elif change["op"] == "upsert":
            told[change["article_id"]] = (change["article"]["text"], change["story_id"])
    for number in sorted(told.keys() | current.keys()):
        now = (current[number].text, current[number].cluster) if number in current else None
        if told.get(number) != now:
            yield f"article {number} is {str(told.get(number))[-60:]!r} in the feed and {str(now)[-60:]!r} in SQL"
