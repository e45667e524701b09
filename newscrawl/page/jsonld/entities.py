"""Decodes character references that remain after the parser has decoded the page once."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

_REFERENCE: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
"""References that end with a semicolon, of limited length: `html.unescape` also replaces `&copy` in "a&copy_id", and
raises an error for 5,000 digits."""


def decode_references(text: str) -> str:
    """Returns `text` with its closed character references replaced; never raises."""
    return _REFERENCE.sub(lambda reference: unescape(reference.group()), text) if "&" in text else text
