"""Why a page's text is what it is: every piece of the page with what each step of the chain decided.

In here: `document` writes the HTML page of `newscrawl explain`; `turns` runs a chain's steps once more and keeps the
reasons, `trace` holds those of one attempt; `boilerpipe`, `justext`, `learned`, `ratios` and `tree` explain one kind of
step each; `runs`, `style` and `markup` write the result. Not in here: the extractors (`newscrawl.extraction`). Start
with `document`.

Config, workers and everything above them may import this package.
"""

from __future__ import annotations

from newscrawl.explain.document import explain_html

__all__ = ["explain_html"]
