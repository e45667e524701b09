"""Explains the text extracted from a page: shows every run of the page with the decisions of each step of the chain.

In here: `document` writes the HTML page of `newscrawl explain`; `steps` runs a chain's steps again and keeps their
reasons, `trace` has the reasons of one step; `boilerpipe`, `justext`, `learned`, `ratios` and `tree` explain one kind
of step each; `runs`, `style` and `markup` write the result. Not in here: the extractors (`newscrawl.extraction`). Start
with `document`.

Config, workers and all packages above them may import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.explain.document import explain_html

__all__ = ["explain_html"]

__getattr__ = loaded_when_used(__name__, {"explain_html": "document"})
