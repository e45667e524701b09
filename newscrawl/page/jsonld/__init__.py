"""JSON-LD scripts of a page, broken ones included, as flat objects.

In here: `scripts` reads the objects of one script, `lenient_json` reads malformed JSON. Not in here: what the
objects mean (`newscrawl.metadata`). Start with `scripts`.
"""

from __future__ import annotations

from newscrawl.page.jsonld.scripts import parse_json_ld

__all__ = ["parse_json_ld"]
