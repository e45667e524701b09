"""newscrawl: a polite, continuous news crawler on Scrapy: clean article texts, each once, in SQL.

import newscrawl
article = newscrawl.extract(html, url="https://example.org/story")
article.text, article.title, article.published

with newscrawl.open("sqlite:///news.db") as db:
    for article in db.articles(site="demo"): ...
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.archive.batch.many import PageResult, extract_many
    from newscrawl.errors import NewscrawlError, UnknownChainError, UnknownEncodingError
    from newscrawl.extraction.article.extracted import Extracted, PageRecord, extract, json_schema
    from newscrawl.extraction.limits import Limits
    from newscrawl.publishing.reader import Reader, open  # noqa: A004  as gzip.open

__all__ = [
    "Extracted",
    "Limits",
    "NewscrawlError",
    "PageRecord",
    "PageResult",
    "Reader",
    "UnknownChainError",
    "UnknownEncodingError",
    "extract",
    "extract_many",
    "json_schema",
    "open",
]

_find = loaded_when_used(  # the packages below import this one too, and must not pull in the parser by that
    __name__,
    {
        **dict.fromkeys(("Extracted", "PageRecord", "extract", "json_schema"), "article.extracted"),
        **dict.fromkeys(("PageResult", "extract_many"), "batch.many"),
        **dict.fromkeys(("NewscrawlError", "UnknownChainError", "UnknownEncodingError"), "errors"),
        **dict.fromkeys(("Reader", "open"), "reader"),
        "Limits": "extraction.limits",
    },
)


def __getattr__(name: str) -> Any:
    return import_module("newscrawl.config.version").version() if name == "__version__" else _find(name)
