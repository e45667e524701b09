"""How the explained page is written: mark-up in which nothing of a source is executed, because every text is escaped by
`text`, and the style sheet. The policy allows only this style sheet, by its hash."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from pathlib import Path
from typing import Final

STYLE: Final = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")

POLICY: Final = (
    "default-src 'none'; "
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'"
)
"""Content-Security-Policy: no scripts, frames or requests; this one style sheet."""

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
