"""newscrawl: a polite, continuous news crawler on Scrapy: clean article texts, each once, in SQL.

import newscrawl
article = newscrawl.extract(html, url="https://example.org/story")
article.text, article.title, article.published
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newscrawl.article import Extracted, extract

__all__ = ["Extracted", "extract"]


def __getattr__(name: str) -> Any:
    # Loaded when first used: the rooms below import this package too, and must not pull in the parser by that.
    if name in __all__:
        from newscrawl import article

        return getattr(article, name)
    raise AttributeError(f"module 'newscrawl' has no attribute {name!r}")
