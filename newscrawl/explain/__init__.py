"""Why a page's text is what it is: every piece of the page with what each step of the chain said of it."""

from __future__ import annotations

from newscrawl.explain.document import explain_html

__all__ = ["explain_html"]
