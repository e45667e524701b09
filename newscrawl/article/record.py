"""The values of an extracted page, as a dataclass that can be pickled and as an object of JSON.

`extracted.schema.json` beside this module is the JSON schema of `PageRecord.to_dict`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from newscrawl.model import Attempt, Described, Image, LiveEntry, Metadata, PublishedDate, RefusedDate
from newscrawl.model.flat import flat

if TYPE_CHECKING:  # `extracted` imports this module
    from newscrawl.article.extracted import Extracted

SCHEMA_FILE: Final = "extracted.schema.json"
RECORD_KEYS: Final = (
    *("url", "title", "authors"),
    *("published", "published_source", "published_precision", "published_offset"),
    *("modified", "modified_source", "modified_precision", "modified_offset"),
    *("refused_dates", "language", "section", "tags", "image", "images", "videos", "audio", "live_entries"),
    *("canonical", "site_name", "description"),
    *("verdict", "extractor", "trace", "problems", "confidence", "encoding", "content_hash", "text"),
)
"""The keys of `PageRecord.to_dict` in their order."""


@dataclass(frozen=True)
class PageRecord(Described):
    """The text and metadata of one page. A value that the page does not state is None or empty.

    Dates are aware, in UTC. `published` and `modified` have the source and precision of the date. `verdict` says what
    the page is; `text` may be empty, and may be the text of a page that is no article. `trace` has a step for each
    extractor that was run. `confidence` says how right and whole the text probably is, from 0 to 1.
    """

    url: str | None
    metadata: Metadata
    text: str
    verdict: str
    extractor: str
    trace: tuple[Attempt, ...]
    problems: tuple[str, ...]
    confidence: float
    encoding: str
    content_hash: str

    @classmethod
    def of(cls, extracted: Extracted) -> PageRecord:
        """Returns the record of a page; this computes every value."""
        return cls(
            url=extracted.page.url,
            metadata=metadata_of(extracted),
            text=extracted.text,
            verdict=extracted.verdict,
            extractor=extracted.extractor,
            trace=extracted.trace,
            problems=extracted.problems,
            confidence=extracted.confidence,
            encoding=extracted.page.encoding,
            content_hash=extracted.content_hash,
        )

    @property
    def published(self) -> PublishedDate | None:
        return self.metadata.published

    @property
    def modified(self) -> PublishedDate | None:
        return self.metadata.modified

    @property
    def refused_dates(self) -> tuple[RefusedDate, ...]:
        return self.metadata.refused_dates

    @property
    def images(self) -> tuple[Image, ...]:
        return self.metadata.images

    @property
    def live_entries(self) -> tuple[LiveEntry, ...]:
        return self.metadata.live_entries

    def to_dict(self) -> dict[str, Any]:
        """Returns the values in the types of JSON, always with the same keys in the same order.

        Dates are ISO 8601 in UTC. A date has three more keys, such as `published_source`, `published_precision` and
        `published_offset`.
        """
        stated = flat(self.metadata) | {"trace": [asdict(step) for step in self.trace]}
        return {name: _plain(stated[name] if name in stated else getattr(self, name)) for name in RECORD_KEYS}


def metadata_of(extracted: Extracted) -> Metadata:
    """Returns what a page states, with what depends on its text: its language, its media and the entries of a live
    report."""
    media = extracted.media
    return replace(
        extracted.metadata,
        language=extracted.language,
        images=media.images,
        videos=media.videos,
        audio=media.audio,
        live_entries=extracted.live_entries,
    )


def json_schema() -> dict[str, Any]:
    """Returns the JSON schema (draft 2020-12) of `PageRecord.to_dict` and `Extracted.to_dict`."""
    schema: dict[str, Any] = json.loads(files(__package__).joinpath(SCHEMA_FILE).read_text("utf-8"))
    return schema


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return {name: _plain(one) for name, one in value.items()} if isinstance(value, Mapping) else value
