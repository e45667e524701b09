"""An epoch of a site's boilerplate: a numbered set of lines that never changes. The next set is another epoch.

A line is what a reader sees as one: a paragraph, or a part of it between two <br>. It is compared whole. Runs would be
too short: a linked name in a sentence is a run, and many pages have it.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from newscrawl.errors import UsageError

MAX_LINES: Final = 2_000
"""Lines of an epoch: 24 kB. Those on most stories are kept."""

_ENTRY: Final = struct.Struct(">qI")
"""The key of a line and the number of stories that have it."""
LINE_BYTES: Final = _ENTRY.size
"""Bytes of one line in an epoch."""


@dataclass(frozen=True, slots=True)
class SiteBoilerplate:
    """The boilerplate of a site: the `lines` that stand on enough of its stories, and on how many they stand.

    `epoch` is its number, from 1; 0 means that nothing was learned. `stories` is the number of stories that it was
    learned from. `lines` holds the entries as bytes, sorted, so that a worker gets them fast with each page, and equal
    sets are equal.
    """

    epoch: int = 0
    stories: int = 0
    lines: bytes = b""

    def __post_init__(self) -> None:
        if len(self.lines) % _ENTRY.size or len(self.lines) > MAX_LINES * _ENTRY.size:
            raise UsageError(
                f"epoch {self.epoch} of a site's boilerplate is damaged: {len(self.lines)} bytes; learn it again with "
                "newscrawl learn SITE"
            )

    @classmethod
    def of(cls, epoch: int, stories: int, counts: Mapping[int, int]) -> SiteBoilerplate:
        """Returns the epoch with these lines, by key, of at most `MAX_LINES`."""
        kept = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:MAX_LINES]
        return cls(epoch, stories, b"".join(_ENTRY.pack(*entry) for entry in sorted(kept)))

    def __bool__(self) -> bool:
        """Whether it has any line."""
        return bool(self.lines)

    def __len__(self) -> int:
        return len(self.lines) // _ENTRY.size

    @property
    def counts(self) -> Mapping[int, int]:
        """The number of stories by the key of the line."""
        return _counts(self.lines)

    @property
    def digest(self) -> str:
        """A digest of the content, equal on all machines."""
        head = f"{self.epoch} {self.stories} ".encode()
        return hashlib.blake2b(head + self.lines, digest_size=8).hexdigest()


NO_BOILERPLATE: Final = SiteBoilerplate()


@lru_cache(maxsize=256)
def _counts(lines: bytes) -> Mapping[int, int]:
    """Unpacked once per process and epoch, not for each page."""
    return MappingProxyType(dict(_ENTRY.iter_unpack(lines)))


KEY_BYTES: Final = 8
"""Bytes of a key. Among the 10^5 lines of a site's recent texts, the probability of one collision is about 10^-10."""

MIN_LETTERS: Final = 2
"""Letters that a line of boilerplate has at least. Lines of asterisks, dashes and digits separate parts of articles and
fill tables; on the Greek pages of one corpus they would be the most frequent boilerplate."""


class Line(NamedTuple):
    """A line of a text: its key, its number of characters, and whether it may be boilerplate by itself."""

    key: int
    characters: int
    is_candidate: bool = True


def key_of(line: str) -> int:
    """Returns the key of a line, as a signed number of 64 bits. Case and white space at the ends are ignored."""
    folded = line.strip().casefold().encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(folded, digest_size=KEY_BYTES).digest(), "big", signed=True)


def has_letters(line: str) -> bool:
    """Returns whether a line has enough letters to be boilerplate."""
    letters = 0
    for character in line:
        letters += character.isalpha()
        if letters >= MIN_LETTERS:
            return True
    return False
