"""The values of an extracted page, as a dataclass that can be pickled and as an object of JSON.

`extracted.schema.json` beside this module is the JSON schema of `PageRecord.to_dict`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from newscrawl.model import Attempt, Image, LiveEntry, PublishedDate, RefusedDate

if TYPE_CHECKING:  # `extracted` imports this module
    from newscrawl.article.extracted import Extracted

SCHEMA_FILE: Final = "extracted.schema.json"


@dataclass(frozen=True, slots=True)
class PageRecord:
    """The text and metadata of one page. A value that the page does not state is None or empty.

    Dates are aware, in UTC. `published` and `modified` have the source and precision of the date. `verdict` says what
    the page is; `text` may be empty, and may be the text of a page that is no article. `trace` has a step for each
    extractor that was run. `confidence` says how right and whole the text probably is, from 0 to 1.
    """

    url: str | None
    title: str | None
    authors: tuple[str, ...]
    published: PublishedDate | None
    modified: PublishedDate | None
    refused_dates: tuple[RefusedDate, ...]
    language: str | None
    section: str | None
    tags: tuple[str, ...]
    image: str | None
    images: tuple[Image, ...]
    videos: tuple[str, ...]
    audio: tuple[str, ...]
    live_entries: tuple[LiveEntry, ...]
    canonical: str | None
    site_name: str | None
    description: str | None
    verdict: str
    extractor: str
    trace: tuple[Attempt, ...]
    problems: tuple[str, ...]
    confidence: float
    encoding: str
    content_hash: str
    text: str

    @classmethod
    def of(cls, extracted: Extracted) -> PageRecord:
        """Returns the record of a page; this computes every value."""
        page, metadata = extracted.page, extracted.metadata
        return cls(
            url=page.url,
            title=extracted.title,
            authors=extracted.authors,
            published=metadata.published,
            modified=metadata.modified,
            refused_dates=metadata.refused_dates,
            language=extracted.language,
            section=metadata.section,
            tags=metadata.tags,
            image=metadata.image,
            images=extracted.images,
            videos=extracted.videos,
            audio=extracted.audio,
            live_entries=extracted.live_entries,
            canonical=metadata.canonical,
            site_name=metadata.site_name,
            description=metadata.description,
            verdict=extracted.verdict,
            extractor=extracted.extractor,
            trace=extracted.trace,
            problems=extracted.problems,
            confidence=extracted.confidence,
            encoding=page.encoding,
            content_hash=extracted.content_hash,
            text=extracted.text,
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the values in the types of JSON, always with the same keys in the same order.

        Dates are ISO 8601 in UTC. A date has three more keys, such as `published_source`, `published_precision` and
        `published_offset`.
        """
        values: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in {"published", "modified"}:
                values |= _date(field.name, value)
            elif isinstance(value, tuple):
                values[field.name] = [item if isinstance(item, str) else _plain(asdict(item)) for item in value]
            else:
                values[field.name] = value
        return values


def json_schema() -> dict[str, Any]:
    """Returns the JSON schema (draft 2020-12) of `PageRecord.to_dict` and `Extracted.to_dict`."""
    schema: dict[str, Any] = json.loads(files(__package__).joinpath(SCHEMA_FILE).read_text("utf-8"))
    return schema


def _date(name: str, date: PublishedDate | None) -> dict[str, str | int | None]:
    return {
        name: date.when.isoformat() if date else None,
        f"{name}_source": date.source if date else None,
        f"{name}_precision": date.precision if date else None,
        f"{name}_offset": date.offset if date else None,
    }


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
