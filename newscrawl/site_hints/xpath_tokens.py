"""The tokens of an XPath expression, read one after the other."""

from __future__ import annotations

import re
from typing import Final

from newscrawl.site_hints.expressions import Fixed
from newscrawl.site_hints.limits import SelectorError

END: Final = ""
"""The value of `Tokens.next` after the last token."""
SHOWN: Final = 40
"""Characters of a token that an error shows."""
MAX_POSITION: Final = 10**6
"""A page has fewer elements."""

_TOKEN: Final = re.compile(
    r"\s*+(?:(?P<text>'[^']*+'|\"[^\"]*+\")|(?P<number>\d++)|(?P<name>[^\W\d][\w.-]*+)|"
    r"(?P<sign>//|::|\.\.|!=|<=|>=|[/.@\[\]()|,=<>*:$+-]))"
)


class Tokens:
    """The tokens of an expression and the place up to which they were read. Each method that reads raises SelectorError
    if another token is there."""

    def __init__(self, written: str) -> None:
        self._tokens = _split(written)
        self._at = 0

    @property
    def next(self) -> str:
        """The next token; END after the last."""
        return self.after(0)

    def after(self, places: int) -> str:
        """Returns the token so many places after the next."""
        return self._tokens[self._at + places] if self._at + places < len(self._tokens) else END

    def advance(self) -> str:
        """Reads the next token."""
        token = self.next
        self._at += 1
        return token

    def step_back(self) -> None:
        """Lets the token that was read last be the next again."""
        self._at -= 1

    def take(self, sign: str) -> bool:
        """Reads the next token if it is `sign`. Returns whether it was."""
        if self.next != sign:
            return False
        self._at += 1
        return True

    def expect(self, sign: str) -> None:
        """Reads the next token, which must be `sign`."""
        if not self.take(sign):
            found = repr(self.next[:SHOWN]) if self.next else "the end"
            raise SelectorError(f"{sign!r} is expected, not {found}")

    def take_call(self, name: str) -> bool:
        """Reads the call `name()` if it is next. Returns whether it was."""
        if self.next != name or self.after(1) != "(":
            return False
        self.skip_call()
        return True

    def skip_call(self) -> None:
        """Reads a name and an empty pair of parentheses."""
        self._at += 1
        self.expect("(")
        self.expect(")")

    def fixed(self) -> Fixed:
        """Reads a text in quotes."""
        token = self.advance()
        if token[:1] not in {"'", '"'}:
            raise SelectorError("a text in quotes is expected")
        return Fixed(token[1:-1])

    def number(self) -> int:
        """Reads a position."""
        token = self.advance()
        if not token.isdigit() or not 0 < int(token) < MAX_POSITION:
            raise SelectorError("a position is a whole number from 1 on")
        return int(token)


def is_name(token: str) -> bool:
    """Returns whether a token is the name of an element, an attribute or a function."""
    return bool(token) and (token[0].isalpha() or token[0] == "_")


def _split(written: str) -> list[str]:
    found: list[str] = []
    at, end = 0, len(written.rstrip())
    while at < end:
        match = _TOKEN.match(written, at)
        if match is None:
            raise SelectorError(f"{written[at : at + 1].strip() or written[at + 1 : at + 2]!r} cannot be read")
        found.append(match[match.lastgroup or ""])
        at = match.end()
    return found
