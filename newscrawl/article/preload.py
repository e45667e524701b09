"""Imported in the process that workers are forked from: one article is made there, so that what comes with the first
page (the language model, stop lists, resolved chains) is loaded once and shared by all workers, not by each anew."""

from __future__ import annotations

import gc
from datetime import UTC, datetime
from typing import Final

from newscrawl.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import RawPage

_URL: Final = "https://example.org/2026/bridge"
_TEXT: Final = "The council met on Monday and spoke for three hours about the bridge that people had asked for. " * 9
_PAGE: Final = f"<title>Bridge</title><main><h1>Bridge</h1><p>{_TEXT}</p><p>{_TEXT}</p></main>".encode()

fingerprint(make_article(RawPage(_URL, _URL, 200, {}, _PAGE, datetime.now(UTC), "example"), ArticleOptions()))
gc.freeze()  # of what all share nothing is garbage: workers need not look through it, nor copy it by looking
