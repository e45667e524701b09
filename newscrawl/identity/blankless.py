"""The scripts that are written without blanks between words, for signatures and for search. It imports nothing.

The table must not change while signatures made with it are stored (newscrawl.identity.segmentation).
"""

from __future__ import annotations

from typing import Final

BLANKLESS: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),  # Han
)
"""First and last characters of scripts written without blanks, in which each letter is a token."""
