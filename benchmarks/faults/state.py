"""The state that a command left, for comparison by benchmarks.faults."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

QUERIES: Final = {
    "article": "SELECT content_hash, text FROM articles",
    "page": """SELECT pages.url_key, pages.state, pages.verdict, articles.content_hash
               FROM pages LEFT JOIN articles ON articles.id = pages.article_id""",
    "address": "SELECT urls.url_key, pages.url_key FROM urls JOIN pages ON pages.id = urls.page_id",
    "version": """SELECT pages.url_key, articles.content_hash, versions.title FROM versions
                  JOIN pages ON pages.id = versions.page_id JOIN articles ON articles.id = versions.article_id""",
    "change": """SELECT changes.op, articles.content_hash FROM changes
                 LEFT JOIN articles ON articles.id = changes.article_id""",
    "dead letter": "SELECT url, reason FROM events WHERE kind = 'stored/dead_letter'",
    "story member": """SELECT articles.content_hash, first.content_hash FROM articles
                       JOIN articles AS first ON first.id = articles.story_id""",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """What must exist once each, and how many changes a sink received more than once."""

    things: Counter[tuple[str, ...]] = field(default_factory=Counter)
    again: int = 0
    broken: tuple[str, ...] = ()


def difference(expected: Ended, found: Ended) -> dict[str, list[str]]:
    """What is lost, and what exists twice or should not exist."""
    lost = [*map(_line, (expected.things - found.things).elements()), *found.broken]
    doubled = [_line(one) for one in (found.things - expected.things).elements()]
    return {kind: lines for kind, lines in (("lost", lost), ("doubled", doubled)) if lines}


def _line(thing: tuple[str, ...]) -> str:
    return " ".join(part[:60] for part in thing)


def of_database(file: Path, archive: Path | None = None) -> Ended:
    """Returns articles, pages, versions and changes; with an archive also whether each page is in it."""
    if not file.exists():
        return Ended(broken=("the database",))
    things: Counter[tuple[str, ...]] = Counter()
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        whole = connection.execute("PRAGMA integrity_check").fetchone()[0]
        broken = [] if whole == "ok" else [f"integrity check: {whole}"]
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        for thing, query in QUERIES.items():
            if "pages" not in names:
                break
            things.update((thing, *map(str, row)) for row in connection.execute(query))
        if archive is not None and "captures" in names:
            broken += _not_archived(connection, archive)
    return Ended(things, broken=tuple(broken))


def schema_of(file: Path) -> Ended:
    """The tables and indexes."""
    if not file.exists():
        return Ended()
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return Ended(Counter(tuple(map(str, row)) for row in rows))


def _not_archived(connection: sqlite3.Connection, archive: Path) -> list[str]:
    """Returns captures whose bytes are missing, and pages of articles without a capture."""
    rows = connection.execute(
        """SELECT captures.url, captures.body_offset, archive_files.name FROM captures
           JOIN archive_files ON archive_files.id = captures.body_file_id"""
    ).fetchall()
    bad = [f"capture of {url}" for url, offset, name in rows if not _is_record(archive, name, offset)]
    pages = connection.execute(
        """SELECT url FROM pages WHERE article_id IS NOT NULL
           AND url_key NOT IN (SELECT url_key FROM captures)"""
    ).fetchall()
    return [*bad, *(f"capture of {url}" for (url,) in pages)]


def _is_record(archive: Path, name: str, offset: int) -> bool:
    for path in (archive / name, archive / f"{name}.open"):
        if path.exists():
            with path.open("rb") as file:
                file.seek(offset)
                try:
                    return zlib.decompressobj(31).decompress(file.read(), 5) == b"WARC/"
                except zlib.error:
                    return False
    return False


def of_lines(lines: list[str]) -> Ended:
    """Returns the changes that a sink received, each once, and those that it received again. An incomplete line of a
    full disk is not counted."""
    seen: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        seen["given", str(entry["seq"]), json.dumps(entry, sort_keys=True)] += 1
    return Ended(Counter(set(seen)), sum(seen.values()) - len(seen))
