"""Writing HTML in which nothing of a source can run: every text goes through `text`."""

from __future__ import annotations

import html
import re
from typing import Final

_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Controls, directions that would turn the page around them, and code points that UTF-8 cannot write."""


def text(value: object) -> str:
    """`value` as text of an element or of a quoted attribute."""
    return html.escape(_CONTROLS.sub("\ufffd", str(value)))


def tag(name: str, *content: str, **attributes: str) -> str:
    """An element with written `content`; attribute values are escaped here, `class_` stands for class."""
    given = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{given}>{''.join(content)}</{name}>"
