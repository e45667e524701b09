"""Parses what a person typed into clauses that both databases understand (docs/reference/search-grammar.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.model.times import read_span
from newscrawl.publishing.search.filters import Filters, combined
from newscrawl.publishing.search.words import HALF_SPACE, WORD, language_of_stem, query_stems, query_words

MAX_WORDS: Final = 32
"""The most words of a query. Each costs a look-up, and only a page pasted by mistake has more."""
_MAX_CHARACTERS: Final = 10_000
_MIN_PREFIX: Final = 2
"""The fewest letters before a `*`. A single one would match a large part of the index."""
_NO_FILTERS: Final = Filters()

_PART: Final = re.compile(
    r"(?P<minus>(?<!\S)-)?(?P<field>(?<![^\s-])(?:title|site|lang|since):)?"
    r'(?:["“”„](?P<phrase>[^"“”„]*)(?P<end>["“”])?|(?P<word>[^\s"“”„]+)|(?<=:)(?P<nothing>))'
)
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Term:
    """Consecutive words. `prefix`: the last word may continue. `in_title`: they must be in a title. `stems`: a text
    with one of these stems matches too; only a single word that is not in quotes has stems."""

    words: tuple[str, ...]
    prefix: bool = False
    in_title: bool = False
    stems: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Clause:
    """Terms of which a text must contain one. `excluded`: a text must contain none of them."""

    terms: tuple[Term, ...]
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Clauses that must all be true, and filters. `cut`: the query had more than MAX_WORDS words, and the rest is
    ignored."""

    clauses: tuple[Clause, ...]
    cut: bool = False
    filters: Filters = _NO_FILTERS

    @property
    def wanted(self) -> tuple[Clause, ...]:
        """The clauses that a text must contain. Without any, nothing matches."""
        return tuple(clause for clause in self.clauses if not clause.excluded)

    @property
    def unwanted(self) -> tuple[Clause, ...]:
        """The clauses that a text must not contain."""
        return tuple(clause for clause in self.clauses if clause.excluded)


@dataclass(slots=True)
class _Reading:
    """The part of the query that was read so far. `joins`: the last token was OR."""

    now: datetime
    clauses: list[Clause] = field(default_factory=list)
    filters: Filters = _NO_FILTERS
    left: int = MAX_WORDS
    cut: bool = False
    joins: bool = False
    may_join: bool = False
    has_or: bool = False
    has_groups: bool = False


def parse_query(typed: str, now: datetime | None = None) -> Query:
    """Parses a query. `now` (default: the present time) is that from which `since:3d` counts.

    A text must contain all words; "quoted words" must be consecutive; `a OR b`: one of them; -word must not occur;
    begin* matches all words that begin so; title:word must be in a title; site:, lang: and since: choose articles. All
    other characters separate words. Raises UsageError for a query that cannot be meant.
    """
    reading = _Reading(now or datetime.now(UTC), cut=len(typed) > _MAX_CHARACTERS)
    for part in _PART.finditer(typed[:_MAX_CHARACTERS]):
        if part["phrase"] is not None and part["end"] is None and not reading.cut:
            raise UsageError(
                f"query: the quotation mark at character {part.start('phrase')} is not closed: close it or leave it out"
            )
        if part["field"] in {"site:", "lang:", "since:"}:
            _read_filter(reading, part)
        elif part["word"] == "OR" and not part["field"] and not part["minus"]:
            _read_or(reading)
        elif part["word"] in {"AND", "NOT"} and not part["field"] and not part["minus"]:
            if part["word"] == "NOT":
                raise UsageError("query: NOT is not part of the grammar: write -word to leave out a word")
        else:
            _read_term(reading, part)
    if reading.joins:
        raise UsageError("query: OR stands at the end: write a word or a phrase on both sides")
    if reading.has_or and reading.has_groups:
        raise UsageError("query: OR cannot be used with parentheses: OR joins only the words or phrases beside it")
    return Query(tuple(dict.fromkeys(reading.clauses)), reading.cut, reading.filters)


def _read_or(reading: _Reading) -> None:
    if reading.joins or not reading.may_join:
        if reading.cut or not reading.left:
            return
        raise UsageError("query: OR needs a word or a phrase on both sides, without -, site:, lang: or since:")
    reading.joins = reading.has_or = True


def _read_term(reading: _Reading, part: re.Match[str]) -> None:
    """Reads a word or a phrase."""
    text = part["phrase"] if part["word"] is None else part["word"]
    in_title, excluded = part["field"] == "title:", part["minus"] is not None
    reading.has_groups |= part["word"] is not None and (text.startswith("(") or text.endswith(")"))
    words, prefix = query_words(text or "")
    if in_title and part["word"] is not None and text.startswith("-"):
        raise UsageError("query: title: has no - after it: write -title:word to leave out a word of titles")
    if not words:
        if in_title:
            raise UsageError("query: title: needs a word or a phrase directly after it")
        return
    if reading.joins and excluded:
        raise UsageError("query: OR joins what must occur, so -word cannot stand beside it")
    if len(words) > reading.left:
        words, prefix, reading.cut = words[: reading.left], False, True
    if not words:
        reading.joins = reading.may_join = False
        return
    reading.left -= len(words)
    has_star = part["word"] is not None and part["word"].endswith("*")
    begins = prefix or (has_star and len(words[-1]) >= _MIN_PREFIX)
    run = WORD.findall(text or "")
    is_plain = part["word"] is not None and not begins and not has_star and len(run) == len(words) == 1
    terms = [Term(words, begins, in_title, query_stems(run[0]) if is_plain else ())]
    if HALF_SPACE in text.strip(HALF_SPACE) and not reading.cut:  # other texts have a blank in its place
        terms.append(Term(query_words(text.replace(HALF_SPACE, " "))[0], begins, in_title))
    if reading.joins:
        joined = reading.clauses[-1]
        reading.clauses[-1] = replace(joined, terms=tuple(dict.fromkeys((*joined.terms, *terms))))
    else:
        reading.clauses.append(Clause(tuple(terms), excluded))
    reading.joins, reading.may_join = False, not excluded


def _read_filter(reading: _Reading, part: re.Match[str]) -> None:
    """Reads site:, lang: or since:."""
    name = part["field"][:-1]
    value = (part["word"] or part["phrase"] or "").strip()
    if part["minus"] is not None:
        raise UsageError(f"query: {name}: cannot be excluded: leave out the -")
    if reading.joins:
        raise UsageError(f"query: OR joins words and phrases, and {name}: is neither")
    if not value:
        raise UsageError(f"query: {name}: needs a value directly after it, like {_EXAMPLES[name]}")
    reading.filters = combined(reading.filters, _filter(name, value, reading.now))
    reading.may_join = False


_EXAMPLES: Final = {"site": "site:demo", "lang": "lang:de", "since": "since:3d or since:2026-11-01"}


def _filter(name: str, value: str, now: datetime) -> Filters:
    if name == "site":
        return Filters(site=value)
    if name == "lang":
        if _LANGUAGE.fullmatch(value) is None:
            raise UsageError(f"query: lang:{value[:40]} is no code of a language: give one like lang:de or lang:pt-BR")
        return Filters(language=value.replace("_", "-").casefold())
    return Filters(since=_moment(value, now))


def _moment(value: str, now: datetime) -> datetime:
    try:
        span = read_span(value)
        moment = now - span if span is not None else datetime.fromisoformat(value)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"query: since:{value[:40]} is no time: give a day like since:2026-11-01, or a span like since:3d or 12h"
        ) from error
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def terms_of(clauses: Sequence[Clause]) -> tuple[Term, ...]:
    """Returns all terms of the clauses in order."""
    return tuple(term for clause in clauses for term in clause.terms)


def stem_languages(query: Query) -> tuple[str, ...]:
    """Returns the codes of the languages in which the query has stems."""
    stems = (stem for term in terms_of(query.clauses) for stem in term.stems)
    return tuple(dict.fromkeys(language_of_stem(stem) for stem in stems))
