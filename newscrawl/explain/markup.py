"""Writes HTML in which nothing of a source is executed: every text is escaped by `text`."""

from __future__ import annotations

import html
import re
from typing import Final

_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Control characters, marks that change the text direction, and code points that UTF-8 cannot encode."""


def text(value: object) -> str:
    """Returns `value` escaped for an element or a quoted attribute."""
    return html.escape(_CONTROLS.sub("\ufffd", str(value)))


def tag(name: str, *content: str, **attributes: str) -> str:
    """Returns an element. `content` must be HTML already; attribute values are escaped here. `class_` means class."""
    given = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{given}>{''.join(content)}</{name}>"
