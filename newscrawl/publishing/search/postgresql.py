"""The search index in PostgreSQL: a table of tsvectors with a GIN index, in its own schema beside the articles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count
from typing import Any, Final

from sqlalchemy import URL, Connection, text
from sqlalchemy.exc import OperationalError

from newscrawl.errors import IndexBusy
from newscrawl.publishing.search.expression import TITLE_MARK, loosened, tree_of, tsquery
from newscrawl.publishing.search.filters import Filters, conditions
from newscrawl.publishing.search.index import MAX_RANKED, VERSION, IndexedArticle, IndexPosition, Match
from newscrawl.publishing.search.query import Query
from newscrawl.publishing.search.words import stem_language, text_stems, words
from newscrawl.storage.engine.database import LONG_ANSWER_S, explained, make_engine
from newscrawl.storage.engine.transactions import begin_read

_LOCK: Final = 0x6E657773637263
_LOCK_TIMEOUT: Final = "5s"
MAX_BYTES: Final = 900_000
"""Bytes of the words of one text. PostgreSQL's limit is a megabyte with the places. The rest of a longer text cannot be
found; such a text is a list, not a story."""
LAST_PLACE: Final = 16_383
"""The greatest place in a tsvector. All later words get it."""
_MAX_PLACES: Final = 255
"""The most places of one word in a tsvector."""

_TABLES: Final = """
DROP SCHEMA IF EXISTS newscrawl_search CASCADE;
CREATE SCHEMA newscrawl_search;
CREATE TABLE newscrawl_search.state (version text, seq bigint, article_id bigint);
CREATE TABLE newscrawl_search.documents (
    article_id bigint PRIMARY KEY, cluster bigint NOT NULL, language text, at bigint NOT NULL,
    local_at bigint NOT NULL, first_at bigint NOT NULL, first_local_at bigint NOT NULL, words tsvector NOT NULL
);
CREATE INDEX documents_words ON newscrawl_search.documents USING gin (words) WITH (fastupdate = off);
"""
_INSERT: Final = text(
    "INSERT INTO newscrawl_search.documents VALUES"
    " (:article_id, :cluster, :language, :at, :local_at, :first_at, :first_local_at, CAST(:words AS tsvector))"
)
_BEST: Final = """
SELECT article_id, cluster, ts_rank(words, CAST(:query AS tsquery), 1) AS score FROM ({newest}) newest
ORDER BY score DESC, article_id LIMIT :limit
"""
_NEWEST: Final = """
SELECT article_id, cluster, words FROM newscrawl_search.documents
WHERE words @@ CAST(:query AS tsquery){conditions} ORDER BY article_id + 0 DESC LIMIT :most
"""
_NEWEST_WITH_PHRASE: Final = """
SELECT article_id, cluster, words FROM (
    SELECT article_id, cluster, words, article_id + 0 AS place FROM newscrawl_search.documents
    WHERE words @@ CAST(:index_query AS tsquery){conditions} ORDER BY place DESC OFFSET 0
) found WHERE words @@ CAST(:query AS tsquery) ORDER BY place DESC LIMIT :most
"""
"""The index knows no places of words, so the vectors are read for a phrase. `OFFSET 0` keeps the server from doing that
for all articles that have its words, before it has the newest ones."""
_BY_WORDS: Final = text("SET LOCAL enable_seqscan = off")
"""Without this, and without `+ 0` above, the server would read all rows, in their order or by the primary key. It knows
nothing of stems that no text has, so it estimates that a word with its stems is frequent. To find a rare word it would
then read every vector."""


class PostgresqlIndex:
    """See newscrawl.publishing.search.index.Index. A schema of another version is built again."""

    def __init__(self, url: URL, *, is_made: bool = False) -> None:
        self._url = url
        self._engine = make_engine(url, answer_within=LONG_ANSWER_S)
        if is_made:
            return
        with explained(url, "open the search index of"), self._engine.begin() as connection:
            if _version(connection) != VERSION:
                _lock(connection)
                if _version(connection) != VERSION:
                    _make(connection)

    @contextmanager
    def writing(self) -> Iterator[_Writing]:
        """Opens a transaction; see the protocol."""
        with explained(self._url, "write the search index of"), self._engine.begin() as connection:
            _lock(connection)
            yield _Writing(connection)

    def matches(self, query: Query, filters: Filters, limit: int) -> Sequence[Match]:
        """Returns the best articles by ts_rank, in which words of a title weigh most."""
        chosen, values = conditions(filters)
        codes = None if filters.language is None else {stem_language(filters.language)}
        tree = tree_of(query, filters, codes)
        asked: dict[str, Any] = {"query": tsquery(tree), "limit": limit, "most": max(MAX_RANKED, limit)}
        newest = _NEWEST
        if (loose := loosened(tree)) != tree:
            newest = _NEWEST_WITH_PHRASE
            asked["index_query"] = tsquery(loose)
        statement = text(_BEST.format(newest=newest.format(conditions=chosen)))
        with explained(self._url, "search in"), begin_read(self._engine) as connection:
            connection.execute(_BY_WORDS)
            rows = connection.execute(statement, values | asked)
            return [Match(row.article_id, row.cluster, row.score) for row in rows]

    def reached(self) -> int:
        """Returns the number of the last change that the index has applied."""
        with explained(self._url, "search in"), begin_read(self._engine) as connection:
            return int(connection.execute(text("SELECT seq FROM newscrawl_search.state")).scalar_one())

    def close(self) -> None:
        """Closes the connections."""
        self._engine.dispose()


class _Writing:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def position(self) -> IndexPosition:
        row = self._connection.execute(text("SELECT seq, article_id FROM newscrawl_search.state")).one()
        return IndexPosition(row.seq, row.article_id)

    def clear(self) -> None:
        self._connection.execute(text("TRUNCATE newscrawl_search.documents"))
        self.reached(IndexPosition())

    def replace(self, entries: Iterable[IndexedArticle]) -> None:
        rows = [{**entry.row, "words": _vector(entry)} for entry in entries]
        self.remove(row["article_id"] for row in rows)
        if rows:
            self._connection.execute(_INSERT, rows)

    def remove(self, article_ids: Iterable[int]) -> None:
        statement = text("DELETE FROM newscrawl_search.documents WHERE article_id = ANY(:numbers)")
        self._connection.execute(statement, {"numbers": list(article_ids)})

    def reached(self, position: IndexPosition) -> None:
        statement = text("UPDATE newscrawl_search.state SET seq = :seq, article_id = :article_id")
        self._connection.execute(statement, {"seq": position.seq, "article_id": position.article_id})


def _vector(entry: IndexedArticle) -> str:
    """Returns an article as a tsvector: every word with its places, those in titles with weight A, every stem with the
    place of its first word, and the words of filters with none. It is a literal of newscrawl's words: the server's text
    search configurations, which differ by installation and language, would split and drop some of them."""
    places: dict[str, list[str]] = {}
    left, start = MAX_BYTES, 0
    for weight, part in (*(("A", title) for title in entry.titles), ("", entry.text)):
        own = words(part)
        stems = ((stem, place + 1) for stem, place in text_stems(part, entry.language).items())
        for lexeme, place in chain(stems, zip(own, count(1))):
            known = places.get(lexeme)
            left -= 4 if known else len(lexeme.encode()) + 8
            if left < 0:
                break
            if known is None:
                known = places[lexeme] = []
            if len(known) < _MAX_PLACES:
                known.append(f"{min(start + place, LAST_PLACE)}{weight}")
            if weight:
                places[f"{TITLE_MARK}{lexeme}"] = [f"1{weight}"]
        start += len(own) + 1  # no phrase spans two titles, or a title and the text
    found = (f"'{lexeme}':{','.join(known)}" for lexeme, known in places.items())
    return " ".join((*found, *(f"'{mark}'" for mark in entry.marks)))


def _lock(connection: Connection) -> None:
    """Keeps others from writing until the commit. Raises IndexBusy when another process writes for long."""
    connection.execute(text(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'"))
    try:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    except OperationalError as error:
        raise IndexBusy("the search index is being written by another process") from error


def existing_index(url: URL) -> PostgresqlIndex | None:
    """Returns the index, to search only; None without one, or for one of another version. Raises StorageError."""
    engine = make_engine(url, pooled=False)
    with explained(url, "search in"), begin_read(engine) as connection:
        is_current = _version(connection) == VERSION
    return PostgresqlIndex(url, is_made=True) if is_current else None


def _version(connection: Connection) -> str | None:
    if connection.execute(text("SELECT to_regclass('newscrawl_search.state')")).scalar() is None:
        return None
    return str(connection.execute(text("SELECT version FROM newscrawl_search.state")).scalar())


def _make(connection: Connection) -> None:
    for statement in filter(str.strip, _TABLES.split(";")):
        connection.execute(text(statement))
    first = text("INSERT INTO newscrawl_search.state VALUES (:version, 0, 0)")
    connection.execute(first, {"version": VERSION})
