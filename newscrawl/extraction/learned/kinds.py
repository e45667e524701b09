"""Kinds of characters, as bits, that are counted in a run's text."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SENTENCE_ENDS: Final = ".!?…。！？｡।۔؟።։"
"""Characters that end a sentence, in the scripts of news."""
CLOSERS: Final = "\"'”’»)]」』）】›"
"""Characters that may follow the end of a sentence."""

UPPER, DIGIT, COMMA, QUOTE, END, FULL_END, CLOSER, SIGN, BLANKLESS, FUNCTION, GAP = (1 << bit for bit in range(11))
LISTED: Final[Mapping[int, str]] = MappingProxyType(
    {
        COMMA: ",،、，;；",
        QUOTE: '"“”„«»「」『』',
        END: SENTENCE_ENDS,
        FULL_END: "。！？｡",
        CLOSER: CLOSERS,
        SIGN: "|©@#→›»·•/",
        FUNCTION: "的了在是和不有这为也对就与以到于将从而被并這為對與於將從並のはにをたがでてと",
        GAP: " \n",
    }
)
"""Function characters are the stop words of Chinese and Japanese, for which there is no stop list."""
HAN_EXTENSIONS: Final = (0x20000, 0x2FA20)
"""Han characters beyond the basic plane: the first one, and the first after them."""
