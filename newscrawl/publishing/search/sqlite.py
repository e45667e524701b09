"""The search index in SQLite: FTS5 in its own file, so that a crawl and a search never wait for each other.

The words are already separated by blanks (newscrawl.publishing.search.words). The tokenizer `ascii` treats every other
character as a letter; unicode61 would split words at characters that its old Unicode tables do not know.

The newest articles that match are ranked by BM25: S. Robertson and H. Zaragoza, The Probabilistic Relevance Framework:
BM25 and Beyond (2009), formula 3.15, with the occurrences in the titles and in the text weighted and added up first, as
in BM25F (formula 3.17, with one length for both). FTS5 has BM25 of its own, but counts all articles with each of the
query's words and stems before it ranks the first one: with a million articles that takes a tenth of a second and more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from math import log
from pathlib import Path
from typing import Final
from urllib.parse import quote

from newscrawl.errors import IndexBusy, StorageError
from newscrawl.publishing.search.expression import AnyOf, fts5, one_of, tree_of, tree_of_clause
from newscrawl.publishing.search.filters import Filters, conditions, language_words
from newscrawl.publishing.search.index import MAX_RANKED, VERSION, IndexedArticle, IndexPosition, Match
from newscrawl.publishing.search.query import Clause, Query, Term, stem_languages
from newscrawl.publishing.search.words import BETWEEN, language_of_stem, stem_language, text_stems, words
from newscrawl.storage.engine.database import create_private

BUSY_TIMEOUT_MS: Final = 5_000
SYNCHRONOUS: Final = "NORMAL"
"""As for the database (newscrawl.storage.engine.database.SYNCHRONOUS)."""
SAMPLE: Final = 5_000
"""The newest articles in which the articles with a word are counted. Their share is that of all articles, as far as
ranking needs it."""

_TABLES: Final = """
DROP TABLE IF EXISTS state;
DROP TABLE IF EXISTS documents;
DROP TABLE IF EXISTS texts;
CREATE TABLE state (version TEXT, seq INTEGER, article_id INTEGER);
CREATE VIRTUAL TABLE documents USING fts5(
    cluster UNINDEXED, language UNINDEXED, at UNINDEXED, local_at UNINDEXED, first_at UNINDEXED,
    first_local_at UNINDEXED, title, text, tokenize = 'ascii'
);
"""
_INSERT: Final = """
INSERT INTO documents (rowid, cluster, language, at, local_at, first_at, first_local_at, title, text)
VALUES (:article_id, :cluster, :language, :at, :local_at, :first_at, :first_local_at, :title, :text)
"""
_NEWEST: Final = """
SELECT rowid, cluster, language, title, text FROM documents
WHERE documents MATCH :query{conditions} ORDER BY rowid DESC LIMIT :most
"""
"""FTS5 yields rows by descending rowid without sorting, so that a common word costs no more than MAX_RANKED rows."""
_DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class SqliteIndex:
    """See newscrawl.publishing.search.index.Index. A file that is damaged or of another version is built again."""

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
        chosen, values = conditions(filters)
        with self._explained():
            codes = self._languages(query, filters)
            asked = {"query": fts5(tree_of(query, filters, codes)), "most": max(MAX_RANKED, limit)}
            rows = self._connection.execute(_NEWEST.format(conditions=chosen), values | asked)
            forms = cache(partial(forms_of, query.wanted))
            candidates = [
                # The length is in words, 2 for an empty article.
                (
                    Match(number, cluster, 0.0),
                    occurrences(forms(code), title, text),
                    title.count(" ") + text.count(" ") + 2,
                )
                for number, cluster, code, title, text in rows
            ]
            clauses = [tree_of_clause(clause, codes) for clause in query.wanted]
            rarities = self._rarities(clauses, has_order=len(candidates) > 1)
        return ranked(candidates, rarities)[:limit]

    def _languages(self, query: Query, filters: Filters) -> list[str]:
        """Returns the languages of the query's stems that articles are in. Most indexes have a few, and FTS5 needs time
        for each stem, even for one that no article has."""
        if filters.language is not None:
            return [code for code in stem_languages(query) if code == stem_language(filters.language)]
        exists = "SELECT 1 FROM documents WHERE documents MATCH ? LIMIT 1"
        return [
            code
            for code in stem_languages(query)
            if self._connection.execute(exists, (fts5(one_of(language_words(code))),)).fetchone()
        ]

    def _rarities(self, clauses: Sequence[AnyOf], *, has_order: bool) -> list[float]:
        """Returns the weights of the wanted clauses. Without an order of candidates they are not needed, and that of a
        single clause changes none."""
        if len(clauses) == 1 or not has_order:
            return [1.0] * len(clauses)
        (newest,) = self._connection.execute("SELECT rowid FROM documents ORDER BY rowid DESC LIMIT 1").fetchone()
        total = min(newest, SAMPLE)
        counts = (
            self._connection.execute(
                "SELECT count(*) FROM documents WHERE documents MATCH ? AND rowid > ?", (fts5(clause), newest - total)
            ).fetchone()[0]
            for clause in clauses
        )
        # The inverse document frequency, which is above 0 for every count.
        return [log(1 + (total - count + 0.5) / (count + 0.5)) for count in counts]

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
        self.reached(IndexPosition())

    def replace(self, entries: Iterable[IndexedArticle]) -> None:
        articles = list(entries)
        self.remove(entry.row["article_id"] for entry in articles)
        self._connection.executemany(_INSERT, ({**entry.row, **_texts(entry)} for entry in articles))

    def remove(self, article_ids: Iterable[int]) -> None:
        numbers = ((number,) for number in article_ids)
        self._connection.executemany("DELETE FROM documents WHERE rowid = ?", numbers)

    def reached(self, position: IndexPosition) -> None:
        self._connection.execute("UPDATE state SET seq = ?, article_id = ?", (position.seq, position.article_id))


def _texts(entry: IndexedArticle) -> dict[str, str]:
    """Returns the indexed columns of an entry: words with blanks between them, then stems, then the words of filters.
    So no phrase contains a stem."""
    text = f"{_with_stems([entry.text], entry.language)} {' '.join(entry.marks)}"
    return {"title": _with_stems(entry.titles, entry.language), "text": text}


def _with_stems(texts: Sequence[str], language: str | None) -> str:
    stems = dict.fromkeys(stem for text in texts for stem in text_stems(text, language))
    return f" {BETWEEN} ".join((*(" ".join(words(text)) for text in texts), " ".join(stems)))


def _opened(file: Path) -> sqlite3.Connection:
    create_private(file)  # it has all texts
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        connection.execute("PRAGMA secure_delete=ON")  # removed text does not stay in the file
        if _version(connection) != VERSION:
            connection.execute("BEGIN IMMEDIATE")  # only here: who writes the index keeps nobody from searching it
            if _version(connection) != VERSION:
                for statement in filter(str.strip, _TABLES.split(";")):
                    connection.execute(statement)
                connection.execute("INSERT INTO state VALUES (?, 0, 0)", (VERSION,))
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


K1: Final = 1.2
"""How soon further occurrences stop to count."""
B: Final = 0.75
"""How much the length of a text counts."""
TITLE_WEIGHT: Final = 5
"""An occurrence in a title counts as five in the text, as in examples of search engines; not tuned."""

Forms = tuple[tuple[tuple[str, bool], ...], ...]
"""For each clause the words and stems of its terms, with blanks around them, and whether only titles count."""


def forms_of(clauses: Sequence[Clause], language: str | None) -> Forms:
    """Returns what to count for each clause in articles of a language."""
    code = stem_language(language)
    return tuple(tuple(form for term in clause.terms for form in _forms(term, code)) for clause in clauses)


def _forms(term: Term, code: str | None) -> Iterator[tuple[str, bool]]:
    yield f" {' '.join(term.words)}{'' if term.prefix else ' '}", term.in_title
    for stem in term.stems:
        if language_of_stem(stem) == code:
            yield f" {stem} ", term.in_title


def occurrences(clauses: Forms, titles: str, text: str) -> tuple[int, ...]:
    """Returns how often each clause occurs in an article, occurrences in titles weighted. `titles` and `text` are words
    with a blank between any two, followed by stems."""
    titles, text = f" {titles} ", f" {text} "
    return tuple(
        sum(TITLE_WEIGHT * titles.count(form) + (0 if in_title else text.count(form)) for form, in_title in forms)
        for forms in clauses
    )


def ranked(candidates: Sequence[tuple[Match, tuple[int, ...], int]], rarities: Sequence[float]) -> list[Match]:
    """Returns articles with their scores, the best first, and of equal ones the one with the least id first.

    Of each the weighted occurrences of each wanted clause are given, and its length in words. `rarities`: the weight of
    each clause.
    """
    mean = sum(length for _, _, length in candidates) / len(candidates) if candidates else 0.0
    scored = (replace(match, score=_score(counts, length, mean, rarities)) for match, counts, length in candidates)
    return sorted(scored, key=lambda match: (-match.score, match.article_id))


def _score(counts: Sequence[int], length: int, mean_length: float, rarities: Sequence[float]) -> float:
    damping = K1 * (1 - B + B * length / mean_length)
    return sum(weight * count * (K1 + 1) / (count + damping) for weight, count in zip(rarities, counts, strict=True))
