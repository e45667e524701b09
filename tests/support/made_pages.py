"""Pages as the pipelines hand them to the store, without a page and an extraction."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from newscrawl.model import Article, Failure, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash, identity_key, url_key

NOW: Final = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
"""When such a page was fetched, if nothing else is said."""


def made_page(url: str, text: str | None = None, **changes: Any) -> ProcessedPage:
    """A page of the site "harbour" with this text, or one whose extraction failed. `changes` name fields of RawPage,
    Article or Metadata, or the `failure`."""
    raw: dict[str, Any] = {"url": url, "final_url": url, "status": 200, "headers": {}, "body": None}
    raw |= {"fetched_at": NOW, "site": "harbour", "discovery": None}
    failure = changes.pop("failure", None)
    raw |= {name: changes.pop(name) for name in list(changes) if name in raw}
    if text is None:
        return ProcessedPage(RawPage(**raw), failure=failure or Failure("extraction/timeout", "took too long"))
    own: dict[str, Any] = {"url": raw["final_url"], "site": raw["site"], "text": text, "verdict": "article"}
    own |= {"extractor": "boilerpipe-wide+tree2", "content_hash": content_hash(text)}
    own |= {"identity_key": identity_key(text, url_key(raw["final_url"]), len(text.split()))}
    own |= {name: changes.pop(name) for name in list(changes) if name in Article.__dataclass_fields__}
    return ProcessedPage(RawPage(**raw), article=Article(metadata=Metadata(**changes), **own))
