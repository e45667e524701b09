"""Prices in short texts: a sign of money beside a number."""

from __future__ import annotations

import re
from typing import Final

PRICE_WORDS: Final = 12
"""Most words of a run that is a price with its label."""
_SIGN_FIRST: Final = re.compile(r"[$€£¥₹₽₩₺]\s?\d")
_SIGN_LAST: Final = re.compile(r"\d\s?(?:[€£₽₺₴₫฿円元]|zł|kr\b|Kč|руб|EUR|USD|CHF)")


def count_prices(text: str) -> int:
    """Returns the number of prices in a text."""
    return len(_SIGN_FIRST.findall(text)) + len(_SIGN_LAST.findall(text))
