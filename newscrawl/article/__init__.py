"""RawPage to Article: joins extraction, metadata and identity; what worker processes run and what `extract` gives."""

from __future__ import annotations

from newscrawl.article.extracted import Extracted, extract
from newscrawl.article.make import EMPTY_ANSWER, ArticleOptions, fingerprint, make_article

__all__ = ["EMPTY_ANSWER", "ArticleOptions", "Extracted", "extract", "fingerprint", "make_article"]
