"""Characters that end a word even without a blank, in Boilerpipe's count of words."""

from __future__ import annotations

from typing import Final

SEPARATORS: Final = (
    *((sign, sign) for sign in "#%&*+<=>[\\]^`{|}~"),
    ("\x80", "\xa9"),
    ("\xab", "\xb1"),
    ("\xb4", "\xb4"),
    ("\xb6", "\xb8"),
    ("\xbb", "\xbb"),
    ("\xbf", "\xbf"),
    ("\xd7", "\xd7"),
    ("\xf7", "\xf7"),
    ("\u2000", "\u206f"),
    ("\u20a0", "\u20bf"),
    ("\u2100", "\u2bff"),
    ("\u3000", "\u3004"),
    ("\ue000", "\uf8ff"),
    ("\U0001f000", "\U0001faff"),
)
"""First and last characters, in ascending order. Other signs (`"'.,!@-:;$?()/`) do not end a word: `e-mail`, `3.5` and
`Smith's` are one word each, but `Smith’s` with the typographic apostrophe is two, as in the original (its
UnicodeTokenizer)."""
