"""The rules of a robots.txt for one crawler.

Groups (RFC 9309, section 2.2.1) are split here: the product token of a user-agent line ends before the first character
that no token may have; it is compared as a whole and without case. Digits belong to tokens, against the RFC:
`news24bot` is not `news360bot`. All groups of one token count together; `*` counts without any. A crawler whose user
agent has another token than `newscrawl` obeys the groups of both, each by itself, so the stricter wins. Protego would
obey a group for `news` and miss one for `newscrawl/0.1.0`, and it keeps each rule once for every user-agent line above
it: 400 million rules for a file of 512 kB with 18,000 such lines and 23,000 rules.

Rules (section 2.2.2) are matched by Protego: the longest matching pattern wins, Allow among equals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from protego import Protego

PRODUCT: Final = "newscrawl"
"""The product token (RFC 9309, section 2.2.1) that site owners write into robots.txt."""

MAX_RULES: Final = 50_000
"""Rules for one crawler; a decision over so many takes 30 ms at most. Those of people have some hundreds."""

MAX_WILDCARD_CHARACTERS: Final = 50_000
"""Characters of all rules with wildcards for one crawler: a thousand rules of 50 characters. Each is tried for each
address, piece by piece: a thousand rules of 500 characters that are mostly wildcards took 0.2 s for one address."""

EVERYBODY: Final = "*"

_TOKEN: Final = re.compile(r"[a-z0-9_-]+|\*(?![a-z0-9_-])")
_COMMENT: Final = re.compile(r"\([^()]*\)?")
_COMPATIBLE: Final = re.compile(r"\bcompatible;\s*([a-z0-9_-]+)")
_TAG: Final = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
"""HTML in a line: no path has `<` (RFC 3986), and some servers send robots.txt as a page."""
_USER_AGENT: Final = re.compile(r"user(?:-|\s*)agent(?:\s*:|\s|$)(.*)", re.IGNORECASE)
_OF_THE_SITE: Final = re.compile(r"(?:sitemaps?|site-map|host)(?:\s*:|\s|$)", re.IGNORECASE)
_CRAWL_DELAY: Final = re.compile(r"crawl[-\s]delay(?:\s*:|\s)(.*)", re.IGNORECASE)
_OF_A_GROUP: Final = re.compile(
    r"[^:]*:|(?:allow|dis+al+[ao]w|diasllow|crawl[-\s]delay|request[-\s]rate|visit[-\s]time)(?:\s|$)", re.IGNORECASE
)
"""A line that belongs to a group: it has a name and a colon, or a known name. Protego reads known names without a colon
and some that are misspelled."""


def token_of(user_agent: str) -> str:
    """Returns the product token of a user-agent line's value in lower case: "newscrawl" for "Newscrawl/0.1.0", "*" for
    all crawlers, "" without a token."""
    token = _TOKEN.match(user_agent.strip().lower())
    return token.group() if token else ""


@lru_cache(maxsize=64)
def sent_tokens(user_agent: str) -> tuple[str, ...]:
    """Returns the product tokens of a User-Agent header in lower case: ("acmenews",) for "AcmeNews/1.0 (+contact)".

    A header that looks like a browser's has several, among them the name after "compatible;": "mozilla" and "acmenews"
    for "Mozilla/5.0 (compatible; AcmeNews/1.0)". Other words in brackets are comments.
    """
    agent = user_agent.lower()
    products = [*_COMMENT.sub(" ", agent).split(), *_COMPATIBLE.findall(agent)]
    tokens = dict.fromkeys(token_of(product) for product in products)
    return tuple(token for token in tokens if token not in {"", EVERYBODY})


@dataclass(frozen=True, slots=True)
class AgentRules:
    """The rules for one user agent: those of its own groups or of everybody's, and those of each other token that
    counts."""

    parts: tuple[Protego, ...] = ()
    """The rules of each token, each for everybody."""
    crawl_delay: float | None = None
    """Seconds, as given."""
    is_too_costly: bool = False
    """Whether the rules are more than may be tried for each address. Then nothing is allowed."""

    def allows(self, url: str) -> bool:
        """Returns whether an address may be requested."""
        return not self.is_too_costly and all(part.can_fetch(url, EVERYBODY) for part in self.parts)


class RulesFile:
    """A robots.txt: its rules for any user agent. The text is kept, and only the groups that count are parsed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._by_tokens: dict[tuple[str, ...], AgentRules] = {}

    def knows(self, agent: str) -> bool:
        """Returns whether the rules for a user agent are parsed; if not, `rules` takes time."""
        return sent_tokens(agent) in self._by_tokens

    def rules(self, agent: str) -> AgentRules:
        """Returns the rules for a user agent, parsed at the first call."""
        sent = sent_tokens(agent)
        if sent not in self._by_tokens:
            self._by_tokens[sent] = self._parsed(sent)
        return self._by_tokens[sent]

    def _parsed(self, sent: tuple[str, ...]) -> AgentRules:
        groups = _groups(self._text, {*sent, PRODUCT, EVERYBODY})
        own = [token for token in sent if token in groups] or [EVERYBODY]
        counting = [groups[token] for token in dict.fromkeys([*own, PRODUCT]) if token in groups]
        delay = max((delay for group in counting for delay in group.delays), default=None)
        if any(group.is_too_costly for group in counting):
            return AgentRules((), delay, is_too_costly=True)
        from protego import Protego  # most processes read the token of this module, and no rules

        return AgentRules(tuple(Protego.parse("\n".join(["User-agent: *", *group.lines])) for group in counting), delay)


@dataclass(slots=True)
class _Group:
    """All that a robots.txt says to one product token."""

    lines: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)

    def add(self, line: str) -> None:
        """Adds a line. Of several delays the longest counts."""
        if found := _CRAWL_DELAY.match(line):
            self.delays += _seconds(found[1])
        else:
            self.lines.append(line)

    @property
    def is_too_costly(self) -> bool:
        """Returns whether the rules are more than may be tried for each address."""
        wild = sum(len(line) for line in self.lines if "*" in line or "$" in line)
        return len(self.lines) > MAX_RULES or wild > MAX_WILDCARD_CHARACTERS


def _groups(text: str, tokens: set[str]) -> dict[str, _Group]:
    """Returns the groups for product tokens, as far as the file has them."""
    found: dict[str, _Group] = {}
    current: set[str] = set()
    is_header = True
    for line in _lines(text):
        if agent := _USER_AGENT.match(line):
            named = {token_of(agent[1]), token_of(agent[1].replace("*", ""))} & tokens
            current = current | named if is_header else named
            is_header = True
            for token in named:
                found.setdefault(token, _Group())
        elif _OF_A_GROUP.match(line) and not _OF_THE_SITE.match(line):
            is_header = False
            for token in current:
                found[token].add(line)
    return found


def _lines(text: str) -> Iterator[str]:
    """Yields the lines without comments and tags, as far as anything is left."""
    for line in text.splitlines():
        if kept := _TAG.sub("", line).partition("#")[0].strip():
            yield kept


def _seconds(value: str) -> list[float]:
    """Returns a delay, nothing if the value is none."""
    try:
        seconds = float(value)
    except ValueError:
        return []
    return [seconds] if math.isfinite(seconds) and seconds >= 0 else []
