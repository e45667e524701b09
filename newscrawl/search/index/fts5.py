"""Articles as rows of an FTS5 index, and queries in its language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from newscrawl.search.filters import Filters
from newscrawl.search.index.filter_words import filter_words, one_line
from newscrawl.search.index.protocol import IndexedArticle, storable
from newscrawl.search.query import Clause, Query, Term
from newscrawl.search.stems import text_stems
from newscrawl.search.words import BETWEEN, words


def expression(query: Query, filters: Iterable[Iterable[str]] = ()) -> str:
    """Returns the query in FTS5's language. `filters`: lists of which an entry must have a word each. Words contain
    neither quotes nor blanks, so nothing has to be escaped."""
    allowed = map(one_of, filters)
    wanted = " AND ".join((*map(clause_expression, query.wanted), *allowed))
    return "".join((f"({wanted})", *(f" NOT {clause_expression(clause)}" for clause in query.unwanted)))


def one_of(listed: Iterable[str]) -> str:
    """Returns that a text must have one of these words, in FTS5's language."""
    return f"text : ({' OR '.join(map(_quoted, listed))})"


def clause_expression(clause: Clause) -> str:
    """Returns one clause in FTS5's language, as what must occur."""
    return f"({' OR '.join(map(_term, clause.terms))})"


def _term(term: Term) -> str:
    forms = [f"{_quoted(' '.join(term.words))}{' *' if term.prefix else ''}", *map(_quoted, term.stems)]
    return f"{'title : ' if term.in_title else ''}({' OR '.join(forms)})"


def _quoted(words: str) -> str:
    return f'"{words}"'


def conditions(filters: Filters) -> tuple[str, list[str | int]]:
    """Returns the filters as SQL that follows other conditions on a row `d` of documents, and its values."""
    found: list[str] = []
    values: list[str | int] = []
    if filters.site is not None:
        found.append("instr(d.sites, ?) > 0")
        values.append(_listed([storable(filters.site)]))
    if filters.since is not None:
        found.append("d.local_at >= ?" if filters.by_local_day else "d.at >= ?")
        values.append(_stamp(filters.since))
    if filters.until is not None:
        found.append("d.first_local_at <= ?" if filters.by_local_day else "d.first_at <= ?")
        values.append(_stamp(filters.until))
    if filters.language is not None:
        found.append("(d.language = ? OR substr(d.language, 1, ?) = ?)")
        code = storable(filters.language.casefold())
        values.extend((code, len(code) + 1, f"{code}-"))
    return "".join(f" AND {condition}" for condition in found), values


def document_row(entry: IndexedArticle) -> tuple[int, int, str, str | None, str, str, str, str]:
    """Returns the row of the table `documents`."""
    times = (_stamp(entry.at), _stamp(entry.local_at), _stamp(entry.first_at), _stamp(entry.first_local_at))
    return (entry.article_id, entry.cluster, _listed(entry.sites), entry.language, *times)


def text_row(entry: IndexedArticle) -> tuple[int, str, str]:
    """Returns the row of the table `texts`: words with blanks between them, then stems, then the words of filters. So
    no phrase contains a stem."""
    text = f"{_with_stems([entry.text], entry.language)} {' '.join(filter_words(entry))}"
    return (entry.article_id, _with_stems(entry.titles, entry.language), text)


def _with_stems(texts: Sequence[str], language: str | None) -> str:
    stems = dict.fromkeys(stem for text in texts for stem in text_stems(text, language))
    return f" {BETWEEN} ".join((*(" ".join(words(text)) for text in texts), " ".join(stems)))


def _listed(sites: Sequence[str]) -> str:
    """Returns the sites with a line feed around each, which no site's name contains."""
    between = "\n"
    return f"{between}{between.join(map(one_line, sites))}{between}"


def _stamp(at: datetime) -> str:
    """Returns a time as text that sorts by time. The callers' times are all in UTC."""
    return at.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
