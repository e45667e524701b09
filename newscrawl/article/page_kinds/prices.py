"""Prices in short texts: a sign of money beside a number."""

from __future__ import annotations

import re
from typing import Final

PRICE_WORDS: Final = 12
"""Most words of a run that is a price with its label."""
_FIRST: Final = "$€£¥₹₽₩₺"
_LAST: Final = (*"€£₽₺₴₫฿円元", "zł", "kr", "Kč", "руб", "EUR", "USD", "CHF")
"""The signs before and after a number. A search for each takes less time than its pattern on a text without any."""
_SIGN_FIRST: Final = re.compile(r"[$€£¥₹₽₩₺]\s?\d")
_SIGN_LAST: Final = re.compile(r"\d\s?(?:[€£₽₺₴₫฿円元]|zł|kr\b|Kč|руб|EUR|USD|CHF)")


def count_prices(text: str) -> int:
    """Returns the number of prices in a text."""
    first = len(_SIGN_FIRST.findall(text)) if any(map(text.__contains__, _FIRST)) else 0
    last = len(_SIGN_LAST.findall(text)) if any(map(text.__contains__, _LAST)) else 0
    return first + last


def has_price(text: str) -> bool:
    """Returns whether a text has a price."""
    return _SIGN_FIRST.search(text) is not None or _SIGN_LAST.search(text) is not None
