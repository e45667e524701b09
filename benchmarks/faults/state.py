"""The state that a command left, for comparison by benchmarks.faults."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, NullPool, create_engine, inspect

from newscrawl.storage.engine.database import parse_url

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
    "block": "SELECT key FROM blocklist",
}
ADDRESSES: Final = re.compile(rb"^WARC-Target-URI: (\S+)", re.MULTILINE)


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


@contextmanager
def _reading(address: str) -> Iterator[Connection | None]:
    """Opens the database; None if there is no such file."""
    url = parse_url(address)
    if url.get_backend_name() == "sqlite":
        if not Path(url.database or "").exists():
            yield None
            return
        url = url.set(database=f"file:{url.database}", query={"mode": "ro", "uri": "true"})
    with create_engine(url, poolclass=NullPool).connect() as connection:
        yield connection


def of_database(address: str, archive: Path | None = None) -> Ended:
    """Returns articles, pages, versions and changes; with an archive also whether each page is in it."""
    things: Counter[tuple[str, ...]] = Counter()
    broken: list[str] = []
    with _reading(address) as connection:
        if connection is None:
            return Ended(broken=("the database",))
        if connection.dialect.name == "sqlite":
            whole = connection.exec_driver_sql("PRAGMA integrity_check").scalar_one()
            broken = [] if whole == "ok" else [f"integrity check: {whole}"]
        names = inspect(connection).get_table_names()
        for thing, query in QUERIES.items():
            if "pages" not in names:
                break
            things.update((thing, *map(str, row)) for row in connection.exec_driver_sql(query))
        if archive is not None and "captures" in names:
            broken += _not_archived(connection, archive)
    return Ended(things, broken=tuple(broken))


def schema_of(address: str) -> Ended:
    """The tables and indexes."""
    with _reading(address) as connection:
        if connection is None:
            return Ended()
        query = "SELECT type, name, sql FROM sqlite_master"
        if connection.dialect.name != "sqlite":
            query = """SELECT table_name, column_name, data_type FROM information_schema.columns
                       WHERE table_schema = 'public'
                       UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"""
        rows = connection.exec_driver_sql(query).all()
    return Ended(Counter(tuple(map(str, row)) for row in rows))


def archived(folder: Path) -> set[str]:
    """Returns the addresses in all files of an archive."""
    files = [gzip.decompress(file.read_bytes()) for file in folder.iterdir() if ".warc" in file.name]
    return {address.decode() for file in files for address in ADDRESSES.findall(file)}


def _not_archived(connection: Connection, archive: Path) -> list[str]:
    """Returns captures whose bytes are missing, and pages of articles without a capture."""
    rows = connection.exec_driver_sql(
        """SELECT captures.url, captures.body_offset, archive_files.name FROM captures
           JOIN archive_files ON archive_files.id = captures.body_file_id"""
    ).all()
    bad = [f"capture of {url}" for url, offset, name in rows if not _is_record(archive, name, offset)]
    pages = connection.exec_driver_sql(
        """SELECT url FROM pages WHERE article_id IS NOT NULL
           AND url_key NOT IN (SELECT url_key FROM captures)"""
    ).all()
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
