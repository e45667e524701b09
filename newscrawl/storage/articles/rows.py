"""Converts pages, articles and versions to the values of their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row

from newscrawl.model import Article, Attempt, Discovery, Structure, UsageRights
from newscrawl.model.flat import flat, of_row, reader_of
from newscrawl.storage.engine.sql import RowMapping, Values, json_list
from newscrawl.storage.engine.types import TEXT_LIMIT, clean_text, is_cut
from newscrawl.storage.records import EntryName, Event, PageRow, SourceRow

PAGE: Final = RowMapping(
    PageRow,
    groups={
        "discovery": (Discovery, {name: f"discovery_{name}" for name in ("kind", "source", "title", "published")}),
        "use": (UsageRights, {field.name: field.name for field in fields(UsageRights)}),
    },
    read_only={"id": "id", "article_id": "article_id", "identity": "identity_key", "shown_at": "shown_at"},
)
"""`pages`, read with the identity of the article that a page shows and the time it was last seen there
(lookup.select_pages)."""
SOURCE: Final = RowMapping(SourceRow, read_only={"id": "id"})
EVENT: Final = RowMapping(Event)
MAX_NAMED: Final = 20
"""New entries that a version and a change name: the first on the page, which are the latest on nearly all pages."""
_TRACE: Final = reader_of(Attempt)


def article_values(article: Article, now: datetime) -> Values:
    """Returns a row of `articles`."""
    return {
        "identity_key": article.identity_key,
        "content_hash": article.content_hash,
        "text": article.text,
        "language": article.metadata.language,
        "extractor": article.extractor,
        "first_seen": now,
        "structure": _structure(article),
    }


def version_values(
    article: Article,
    page_id: int,
    article_id: int,
    change_class: str,
    now: datetime,
    entries: Sequence[EntryName] = (),
) -> Values:
    """Returns a row of `versions`. Empty lists become NULL, so that a reading without them keeps the stored ones.

    `entries` are the new entries of a live report, of which the first `MAX_NAMED` are named.
    """
    trace, problems = _with_cut_noted(article)
    return {
        "page_id": page_id,
        "article_id": article_id,
        "seen_at": now,
        "last_seen": now,
        "change_class": change_class,
        "new_entries": named_entries(entries),
        "verdict": article.verdict,
        **{name: None if value == [] else value for name, value in flat(article.metadata).items()},
        "extractor": article.extractor,
        "fallback": article.is_fallback,
        "boilerplate_epoch": article.boilerplate_epoch,
        "left_out": json_list(article.left_out),
        "trace": json_list(trace),
        "problems": json_list(problems),
        "confidence": article.confidence,
    }


def reading_values(article: Article) -> dict[str, Any]:
    """Returns what `read_article` needs besides the columns of a table, in types that JSON knows."""
    return flat(article.metadata) | {
        "verdict": article.verdict,
        "trace": json_list(article.trace),
        "problems": json_list(article.problems),
        "structure": _structure(article),
    }


def _structure(article: Article) -> dict[str, Any] | None:
    """Returns the structure of a text as its row has it; None for a text that is stored cut or cleaned."""
    fits = article.structure is not None and clean_text(article.text, TEXT_LIMIT) == article.text
    return article.structure.to_row() if article.structure is not None and fits else None


def read_article(row: Row[Any], reading: Mapping[str, Any]) -> Article:
    """Returns the article of a row that has its text, with the metadata, verdict, trace and problems of `reading`."""
    return Article(
        url=row.url,
        site=row.site,
        metadata=of_row(reading),
        text=row.text,
        extractor=row.extractor,
        verdict=reading["verdict"],
        trace=_TRACE(reading["trace"]),
        problems=tuple(reading["problems"] or ()),
        content_hash=row.content_hash,
        identity_key=row.identity_key,
        confidence=row.confidence,
        structure=Structure.of_row(reading["structure"]),
    )


def named_entries(entries: Sequence[EntryName]) -> list[dict[str, str | None]] | None:
    """Returns the new entries of a live report as versions and changes store them."""
    return [entry.to_json() for entry in entries[:MAX_NAMED]] or None


def _with_cut_noted(article: Article) -> tuple[Sequence[Attempt], Sequence[str]]:
    """Returns trace and problems of the article. If its text is too long to be stored whole, both say so."""
    length = len(article.text)
    if length <= TEXT_LIMIT or not is_cut(clean_text(article.text, TEXT_LIMIT), TEXT_LIMIT):
        return article.trace, article.problems
    note = f"the text has {length:,} characters and is cut at {TEXT_LIMIT:,}"
    trace = [replace(step, reason=f"{step.reason}; {note}") if step.accepted else step for step in article.trace]
    return trace, (*article.problems, note)
