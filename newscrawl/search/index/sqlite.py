"""The search index in SQLite: FTS5 in its own file, so that a crawl and a search never wait for each other.

The words are already separated by blanks (newscrawl.search.words). The tokenizer `ascii` treats every other character
as a letter; unicode61 would split words at characters that its old Unicode tables do not know.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from newscrawl.errors import IndexBusy, StorageError
from newscrawl.search.filters import Filters
from newscrawl.search.index import fts5
from newscrawl.search.index.bm25 import Candidate, length, occurrences, ranked, rarity
from newscrawl.search.index.filter_words import language_words, wanted_words
from newscrawl.search.index.protocol import MAX_RANKED, VERSION, IndexedArticle, IndexPosition, Match
from newscrawl.search.query import Query, in_languages, stem_languages
from newscrawl.search.stems import stem_language
from newscrawl.storage.engine.database import create_private

BUSY_TIMEOUT_MS: Final = 5_000
SYNCHRONOUS: Final = "NORMAL"
"""As for the database (newscrawl.storage.engine.database.SYNCHRONOUS)."""
SAMPLE: Final = 5_000
"""The newest articles in which the articles with a word are counted. Their share is that of all articles, as far as
ranking needs it."""

_TABLES: Final = """
CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1), version TEXT, seq INTEGER, article_id INTEGER
);
CREATE TABLE documents (
    article_id INTEGER PRIMARY KEY, cluster INTEGER, sites TEXT, language TEXT, at TEXT, local_at TEXT,
    first_at TEXT, first_local_at TEXT
);
CREATE VIRTUAL TABLE texts USING fts5(title, text, tokenize = 'ascii');
"""
_NEWEST: Final = """
SELECT d.article_id, d.cluster, d.language, texts.title, texts.text
FROM texts CROSS JOIN documents d ON d.article_id = texts.rowid
WHERE texts MATCH ?{conditions} ORDER BY texts.rowid DESC LIMIT ?
"""
"""FTS5 yields rows by descending rowid without sorting, so that a common word costs no more than MAX_RANKED rows."""
_DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class SqliteIndex:
    """See newscrawl.search.index.protocol.Index. A file that is damaged or of another version is built again."""

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
        conditions, values = fts5.conditions(filters)
        statement = _NEWEST.format(conditions=conditions)
        with self._explained():
            query = in_languages(query, self._languages(query, filters))
            asked = fts5.expression(query, wanted_words(filters))
            rows = self._connection.execute(statement, (asked, *values, max(MAX_RANKED, limit)))
            candidates = [
                Candidate(
                    number,
                    cluster,
                    occurrences(query.wanted, title, text, language),
                    length(title, text),
                )
                for number, cluster, language, title, text in rows
            ]
            best = ranked(candidates, self._rarities(query, has_order=len(candidates) > 1))
        return [Match(candidate.article_id, candidate.cluster, score) for score, candidate in best[:limit]]

    def _languages(self, query: Query, filters: Filters) -> list[str]:
        """Returns the languages of the query's stems that articles are in. Most indexes have a few, and FTS5 needs time
        for each stem, even for one that no article has."""
        if filters.language is not None:
            return [code for code in stem_languages(query) if code == stem_language(filters.language)]
        exists = "SELECT 1 FROM texts WHERE texts MATCH ? LIMIT 1"
        return [
            code
            for code in stem_languages(query)
            if self._connection.execute(exists, (fts5.one_of(language_words(code)),)).fetchone()
        ]

    def _rarities(self, query: Query, *, has_order: bool) -> list[float]:
        """Returns the weights of the wanted clauses. Without an order of candidates they are not needed, and that of a
        single clause changes none."""
        if len(query.wanted) == 1 or not has_order:
            return [1.0] * len(query.wanted)
        newest = self._connection.execute("SELECT coalesce(max(article_id), 0) FROM documents").fetchone()[0]
        total = min(newest, SAMPLE)
        counts = (
            self._connection.execute(
                "SELECT count(*) FROM texts WHERE texts MATCH ? AND rowid > ?",
                (fts5.clause_expression(clause), newest - total),
            ).fetchone()[0]
            for clause in query.wanted
        )
        return [rarity(count, total) for count in counts]

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
        self._connection.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(fts5.document_row, articles)
        )
        self._connection.executemany(
            "INSERT INTO texts (rowid, title, text) VALUES (?, ?, ?)", map(fts5.text_row, articles)
        )

    def remove(self, article_ids: Iterable[int]) -> None:
        numbers = [(number,) for number in article_ids]
        self._connection.executemany("DELETE FROM texts WHERE rowid = ?", numbers)
        self._connection.executemany("DELETE FROM documents WHERE article_id = ?", numbers)

    def reached(self, position: IndexPosition) -> None:
        self._connection.execute("UPDATE state SET seq = ?, article_id = ?", (position.seq, position.article_id))


def _opened(file: Path) -> sqlite3.Connection:
    create_private(file)  # it has all texts
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
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


def _version(connection: sqlite3.Connection) -> str | None:
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'state'").fetchone() is None:
        return None
    row = connection.execute("SELECT version FROM state").fetchone()
    return str(row[0]) if row else None


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
