"""The search index in SQLite: FTS5 in its own file, so that a crawl and a search never wait for each other.

The words are already separated by blanks (newscrawl.search.words). The tokenizer `ascii` treats every other character
as a letter; unicode61 would split words at characters that its old Unicode tables do not know.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from newscrawl.errors import IndexBusy, StorageError
from newscrawl.search.index import VERSION, Filters, IndexedArticle, IndexPosition, Match, storable
from newscrawl.search.query import Clause, Query
from newscrawl.search.words import BETWEEN, words

BUSY_TIMEOUT_MS: Final = 5_000
TITLE_WEIGHT: Final = 5.0
"""A word in a title counts as five in the text, as in examples of search engines; not tuned."""

_TABLES: Final = """
CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER, seq INTEGER, article_id INTEGER);
CREATE TABLE documents (
    article_id INTEGER PRIMARY KEY, cluster INTEGER, sites TEXT, language TEXT, at TEXT, local_at TEXT,
    first_at TEXT, first_local_at TEXT
);
CREATE VIRTUAL TABLE texts USING fts5(title, text, tokenize = 'ascii');
"""
_FILTERED: Final = f"""
SELECT d.article_id, d.cluster, bm25(texts, {TITLE_WEIGHT}, 1.0) AS score
FROM texts JOIN documents d ON d.article_id = texts.rowid
WHERE texts MATCH ? AND {{conditions}} ORDER BY score, d.article_id LIMIT ?
"""  # noqa: S608  nothing in it comes from outside
_BEST: Final = f"""
SELECT d.article_id, d.cluster, best.score FROM (
    SELECT rowid AS number, rank AS score FROM texts
    WHERE texts MATCH ? AND rank MATCH 'bm25({TITLE_WEIGHT}, 1.0)' ORDER BY rank LIMIT ?
) best JOIN documents d ON d.article_id = best.number ORDER BY best.score, d.article_id
"""  # noqa: S608
"""Without filters FTS5 sorts itself, and the join reads the best rows only."""
_DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class SqliteIndex:
    """See newscrawl.search.index.Index. A file that is damaged or of another version is built again."""

    def __init__(self, file: Path, connection: sqlite3.Connection | None = None) -> None:
        self._file = file
        if connection is not None:
            self._connection = connection
            return
        try:
            self._connection = _opened(file)
        except sqlite3.Error as error:
            if _code(error) not in _DAMAGED:
                raise StorageError(f"cannot open search index {file}: {error}") from error
            for suffix in ("", "-wal", "-shm"):
                Path(f"{file}{suffix}").unlink(missing_ok=True)
            self._connection = _opened(file)

    @contextmanager
    def writing(self) -> Iterator[_Writing]:
        """Opens a transaction; see the protocol."""
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield _Writing(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite itself has ended some failed transactions
                    self._connection.execute("ROLLBACK")
                raise

    def matches(self, query: Query, filters: Filters, limit: int) -> Sequence[Match]:
        """Returns the best articles by BM25."""
        conditions, values = _conditions(filters)
        statement = _FILTERED.format(conditions=" AND ".join(conditions)) if conditions else _BEST
        with self._explained():
            rows = self._connection.execute(statement, (expression(query), *values, limit)).fetchall()
        return [Match(number, cluster, -score) for number, cluster, score in rows]

    def reached(self) -> int:
        """Returns the number of the last change that the index has applied."""
        with self._explained():
            return int(self._connection.execute("SELECT seq FROM state").fetchone()[0])

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_BUSY:
                raise IndexBusy(f"search index {self._file} is being written by another process") from error
            raise StorageError(
                f"cannot use search index {self._file}: {error}; delete the file, and it is created again"
            ) from error


class _Writing:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def position(self) -> IndexPosition:
        return IndexPosition(*self._connection.execute("SELECT seq, article_id FROM state").fetchone())

    def clear(self) -> None:
        self._connection.execute("DELETE FROM documents")
        self._connection.execute("DELETE FROM texts")
        self.reached(IndexPosition())

    def replace(self, entries: Iterable[IndexedArticle]) -> None:
        articles = list(entries)
        self.remove(entry.article_id for entry in articles)
        rows = [
            (
                *(entry.article_id, entry.cluster, _listed(entry.sites), entry.language),
                *map(_stamp, (entry.at, entry.local_at, entry.first_at, entry.first_local_at)),
            )
            for entry in articles
        ]
        self._connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        texts = ((entry.article_id, _titles(entry.titles), " ".join(words(entry.text))) for entry in articles)
        self._connection.executemany("INSERT INTO texts (rowid, title, text) VALUES (?, ?, ?)", texts)

    def remove(self, article_ids: Iterable[int]) -> None:
        numbers = [(number,) for number in article_ids]
        self._connection.executemany("DELETE FROM texts WHERE rowid = ?", numbers)
        self._connection.executemany("DELETE FROM documents WHERE article_id = ?", numbers)

    def reached(self, position: IndexPosition) -> None:
        self._connection.execute("UPDATE state SET seq = ?, article_id = ?", (position.seq, position.article_id))


def expression(query: Query) -> str:
    """Returns the query in FTS5's language. Words contain neither quotes nor blanks, so nothing has to be escaped."""
    wanted = " AND ".join(map(_phrase, query.wanted))
    return "".join((f"({wanted})", *(f" NOT {_phrase(clause)}" for clause in query.unwanted)))


def _phrase(clause: Clause) -> str:
    return f'"{" ".join(clause.words)}"{" *" if clause.prefix else ""}'


def _conditions(filters: Filters) -> tuple[list[str], list[str | int]]:
    conditions: list[str] = []
    values: list[str | int] = []
    if filters.site is not None:
        conditions.append("instr(d.sites, ?) > 0")
        values.append(_listed([storable(filters.site)]))
    if filters.since is not None:
        conditions.append("d.local_at >= ?" if filters.by_local_day else "d.at >= ?")
        values.append(_stamp(filters.since))
    if filters.until is not None:
        conditions.append("d.first_local_at <= ?" if filters.by_local_day else "d.first_at <= ?")
        values.append(_stamp(filters.until))
    if filters.language is not None:
        conditions.append("(d.language = ? OR substr(d.language, 1, ?) = ?)")
        code = storable(filters.language.casefold())
        values.extend((code, len(code) + 1, f"{code}-"))
    return conditions, values


def _titles(titles: Sequence[str]) -> str:
    return f" {BETWEEN} ".join(" ".join(words(title)) for title in titles)


def _listed(sites: Sequence[str]) -> str:
    """Returns the sites with a line feed around each, which no site's name contains."""
    between = "\n"
    return f"{between}{between.join(' '.join(site.split()) for site in sites)}{between}"


def _stamp(at: datetime) -> str:
    """Returns a time as text that sorts by time. The callers' times are all in UTC."""
    return at.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")


def _opened(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA secure_delete=ON")  # removed text does not stay in the file
        connection.execute("BEGIN IMMEDIATE")
        if _version(connection) != VERSION:
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE name IN ('state', 'documents', 'texts')"
            ).fetchall():
                connection.execute(f"DROP TABLE {name}")
            for statement in filter(str.strip, _TABLES.split(";")):
                connection.execute(statement)
            connection.execute("INSERT INTO state VALUES (1, ?, 0, 0)", (VERSION,))
        connection.execute("COMMIT")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def existing_index(file: Path) -> SqliteIndex | None:
    """Returns the index, to search only; None without a file, or for a file of another version. Raises StorageError."""
    if not file.exists():
        return None
    address = f"file:{quote(str(file.resolve()))}?mode=rw"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA query_only=ON")
        is_current = _version(connection) == VERSION
    except sqlite3.Error as error:
        connection.close()
        raise StorageError(f"cannot open search index {file}: {error}") from error
    if is_current:
        return SqliteIndex(file, connection)
    connection.close()
    return None


def _version(connection: sqlite3.Connection) -> int | None:
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'state'").fetchone() is None:
        return None
    row = connection.execute("SELECT version FROM state").fetchone()
    return int(row[0]) if row else None


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
