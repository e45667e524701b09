"""Identifies texts: the same words with other mark-up, adverts or addresses are one article."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import Final

from newscrawl.model.identity.letters import seen_letters, without_long_marks

DIGEST_BYTES: Final = 16
"""BLAKE2b with 128 bits. Among 10^9 articles the probability of one collision is about 10^-21."""

MIN_WORDS_OF_OWN: Final = 25
"""A text of fewer words is a teaser or a notice, which several pages may show without being one article."""

_BLANKS_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d) +(?=\d)")
_BLANKS_BETWEEN_ZEROS: Final = re.compile(rb"0 +(?=0)")
_DIGITS_AS_ZERO: Final = bytes.maketrans(b"123456789", b"000000000")
"""An expression that begins with one byte is searched eight times as fast as one that begins with any digit."""
_HANGUL: Final = frozenset(map(chr, range(0x1100, 0x1200)))
"""Letters that are composed into syllables."""


def content_hash(text: str) -> str:
    """Returns 32 hexadecimal digits that are equal for texts with the same letters, digits and currency signs in the
    same order.

    Compatibility forms (NFKC), case, punctuation, symbols, white space and invisible characters are ignored, and so are
    letters of another script that look like those of their word. Between two digits a separation counts, so that 1 23
    is not 12 3. Never raises.
    """
    return _digest(caseless_nfkc(text))


def identity_key(text: str, url_key: str, words: int) -> str:
    """Returns the key by which articles are unique: the content hash, for a text under 25 words joined with the page's
    URL key.

    `words` counts two characters as a word in scripts without blanks (`newscrawl.page.words.count_words`).
    """
    return identity_of(content_hash(text), url_key, words)


def identity_of(content: str, url_key: str, words: int) -> str:
    """Returns the `identity_key` of a text whose content hash is known."""
    return content if words >= MIN_WORDS_OF_OWN else _digest(f"{content} {url_key}")


def caseless_nfkc(text: str) -> str:
    """Returns the text that `content_hash` hashes. The order (NFKC, case folding, NFKC) is Unicode's identifier
    caseless matching.

    Most texts contain a few different characters beyond ASCII that do not depend on their neighbours. These are
    replaced one after the other, and ASCII by a table of bytes.
    """
    seen, characters = seen_letters(text)
    text = seen
    for character in characters:
        folded = _folded(character)
        if folded is None:
            return _fold_in_context(seen)
        if folded != character:
            text = text.replace(character, folded)
    data = text.encode().translate(_ASCII_FOLDED, _ASCII_DROPPED)
    parts, end = [], 0
    for gap in _BLANKS_BETWEEN_ZEROS.finditer(data.translate(_DIGITS_AS_ZERO)):
        parts.append(data[end : gap.start() + 1])
        end = gap.end()
    return b"\n".join([*parts, data[end:]]).translate(None, b" ").decode()


def _fold_in_context(text: str) -> str:
    """Does the same for text with combining marks or other characters that depend on their neighbours."""
    folded = _normalised(_normalised(text).casefold()).translate(_FOLDING)
    return _BLANKS_BETWEEN_DIGITS.sub("\n", folded).replace(" ", "")


def _normalised(text: str) -> str:
    return unicodedata.normalize("NFKC", without_long_marks(text))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=DIGEST_BYTES).hexdigest()


class _Folding(dict[int, str]):
    """Maps punctuation, symbols except currency, and separators to a blank, and removes invisible characters (soft
    hyphens, zero-width characters, NUL, lone surrogates). Entries are added when a character first occurs."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if character.isspace() or category[0] in "PZ" or category in {"Sm", "Sk", "So"}:
            character = " "
        elif category in {"Cc", "Cf", "Cs"}:
            character = ""
        self[code] = character
        return character


_FOLDING: Final = _Folding()
_ASCII_FOLDED: Final = bytes(ord(_FOLDING[code] or " ") for code in range(128)).lower() + bytes(range(128, 256))
_ASCII_DROPPED: Final = bytes(code for code in range(128) if not _FOLDING[code])


@lru_cache(maxsize=8192)
def _folded(character: str) -> str | None:
    """Returns the folded form of a character; None if it depends on the character's neighbours."""
    folded = _in_itself(character)
    if folded is None or _in_itself(folded) != folded:
        return None
    return None if any(c.isdecimal() and not c.isascii() for c in folded) else folded


def _in_itself(text: str) -> str | None:
    normal = unicodedata.normalize("NFKC", text)
    normal = unicodedata.normalize("NFKC", normal.casefold())
    if any(map(_joins, text)) or any(map(_joins, normal)):
        return None
    return normal.translate(_FOLDING)


def _joins(character: str) -> bool:
    """Returns whether a character may compose with the one before it. Only marks and Hangul letters may."""
    return unicodedata.category(character)[0] == "M" or character in _HANGUL
