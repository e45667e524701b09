"""Makes one article when it is imported in the process that workers are forked from. So the data that the first page
needs (the language model, stop lists, resolved chains) is loaded once and shared by all workers."""

from __future__ import annotations

import gc
from datetime import UTC, datetime
from typing import Final

from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import RawPage

_URL: Final = "https://example.org/2026/bridge"
_TEXT: Final = "The council met on Monday and spoke for three hours about the bridge that people had asked for. " * 9
_PAGE: Final = f"<title>Bridge</title><main><h1>Bridge</h1><p>{_TEXT}</p><p>{_TEXT}</p></main>".encode()

fingerprint(make_article(RawPage(_URL, _URL, 200, {}, _PAGE, datetime.now(UTC), "example"), ArticleOptions()))
gc.freeze()  # nothing shared is garbage: workers need not scan it, which would copy its memory
