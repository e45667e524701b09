"""The rules of a robots.txt for one crawler, compiled once: they decide which addresses may be requested.

Groups (RFC 9309, section 2.2.1): the product token of a user-agent line ends before the first character that no token
may have; it is compared as a whole and without case. Digits belong to tokens, against the RFC: `news24bot` is not
`news360bot`. All groups of one token count together; `*` counts without any. A crawler whose user agent has another
token than `newscrawl` obeys the groups of both, each by itself, so the stricter wins.

Rules (section 2.2.2): the longest matching pattern wins, Allow among equals. 20,000 patterns with wildcards took 0.3 s
for each address when they were tried one after the other. Here an index finds the patterns all of whose pieces occur in
the address, and only these are tried. A decision is a generator that yields after each step of bounded work, so that a
caller on an event loop can pause there. Files written by people take one step.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Final

from protego import Protego
from protego._protego import (
    _ALLOW_DIRECTIVE,
    _CRAWL_DELAY_DIRECTIVE,
    _DISALLOW_DIRECTIVE,
    _SITE_WIDE_DIRECTIVES,
    _USER_AGENT_DIRECTIVE,
    _extract_directive,
)
from protego._ruleset import _RuleSet
from protego._utils import _quote_path

PRODUCT: Final = "newscrawl"
"""The product token (RFC 9309, section 2.2.1) that site owners write into robots.txt."""

STEP: Final = 2_000
"""Units of work after which a decision yields. A unit takes about 0.2 microseconds, a step about half a millisecond."""

COMPARED: Final = 2_000
"""Characters that are compared in one unit of work."""

EVERYBODY: Final = "*"

_TOKEN: Final = re.compile(r"[a-z0-9_-]+|\*(?![a-z0-9_-])")
_COMMENT: Final = re.compile(r"\([^()]*\)?")
_COMPATIBLE: Final = re.compile(r"\bcompatible;\s*([a-z0-9_-]+)")
_TAG: Final = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
"""HTML in a line: no path has `<` (RFC 3986), and some servers send robots.txt as a page."""

Steps = Generator[None, None, bool]


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
class _Pattern:
    """A pattern with wildcards: literal pieces in order, the first at the beginning, the last at the end if
    `anchored`. `rank` is its length and whether it allows."""

    rank: tuple[int, bool]
    begin: str
    pieces: tuple[str, ...]
    anchored: bool
    least: int
    """Characters of the shortest address that matches."""

    def matches(self, path: str) -> bool:
        """Returns whether an address, as `Protego` encodes it, matches."""
        if not path.startswith(self.begin):
            return False
        at = len(self.begin)
        for piece in self.pieces[:-1] if self.anchored else self.pieces:
            start = path.find(piece, at)
            if start < 0:
                return False
            at = start + len(piece)
        last = self.pieces[-1]
        return not self.anchored or (len(path) - len(last) >= at and path.endswith(last))

    def work(self, path: str) -> int:
        """Returns the most units of work that `matches` takes."""
        return sum(1 + len(piece) * len(path) // COMPARED for piece in self.pieces)


class RobotsRules:
    """The rules for one product token."""

    def __init__(self, rules: Iterable[tuple[str, bool]], crawl_delay: float | None = None) -> None:
        """`rules` are patterns, in the encoding of `Protego`, and whether they allow."""
        self.crawl_delay = crawl_delay
        self._whole: dict[str, tuple[int, bool]] = {}
        """Addresses that match as a whole, with their rank."""
        self._begins: dict[str, tuple[int, bool]] = {}
        """Beginnings of addresses, with their rank."""
        self._by_piece: defaultdict[str, list[_Pattern]] = defaultdict(list)
        """Patterns with wildcards by the longest of their pieces."""
        for pattern, allows in dict.fromkeys(rules):
            self._add(pattern, (len(pattern), allows))
        self._lengths = sorted({len(begin) for begin in self._begins})
        pieces = {piece for patterns in self._by_piece.values() for pattern in patterns for piece in pattern.pieces}
        self._pieces: defaultdict[int, set[str]] = defaultdict(set)
        """All pieces by their length."""
        for piece in pieces:
            self._pieces[len(piece)].add(piece)

    def _add(self, pattern: str, rank: tuple[int, bool]) -> None:
        anchored = pattern.endswith("$")
        begin, *rest = pattern.removesuffix("$").split("*") if anchored else pattern.split("*")
        pieces = tuple(piece for piece in rest if piece)
        if anchored and rest and not rest[-1]:
            anchored = False  # a wildcard before the end: anything may follow
        if pieces:
            least = len(begin) + sum(map(len, pieces))
            self._by_piece[max(pieces, key=len)].append(_Pattern(rank, begin, pieces, anchored, least))
        else:
            kept = self._whole if anchored else self._begins
            kept[begin] = max(kept.get(begin, rank), rank)

    def allows(self, url: str) -> bool:
        """Returns whether an address may be requested, without pauses."""
        steps = self.decide(url)
        while True:
            try:
                next(steps)
            except StopIteration as done:
                return bool(done.value)

    def decide(self, url: str) -> Steps:
        """Returns whether an address may be requested; yields after each step of work."""
        path = _quote_path(url)
        best = self._plain(path)
        present = yield from self._present(path)
        tried = [
            rule
            for piece in present
            for rule in self._by_piece.get(piece, ())
            if rule.rank > best and rule.least <= len(path)
        ]
        tried.sort(key=attrgetter("rank"), reverse=True)
        work = len(tried)
        for pattern in tried:
            if work > STEP:
                work = 0
                yield
            work += len(pattern.pieces)
            if present.issuperset(pattern.pieces):
                work += pattern.work(path)
                if pattern.matches(path):
                    return pattern.rank[1]
        return best[1]

    def _plain(self, path: str) -> tuple[int, bool]:
        """Returns the rank of the best matching pattern without wildcards; without any, everything is allowed."""
        best = self._whole.get(path, (-1, True))
        for length in self._lengths:
            if length > len(path):
                break
            best = max(best, self._begins.get(path[:length], best))
        return best

    def _present(self, path: str) -> Generator[None, None, set[str]]:
        """Returns the pieces that occur in an address. For each length it looks up either all parts of the address or
        all pieces, whichever are fewer: an address has few parts of one length, and a file of 512 kB has few long
        pieces."""
        present: set[str] = set()
        work = 0
        for length, pieces in self._pieces.items():
            parts = len(path) - length + 1
            if parts <= 0:
                continue
            if len(pieces) < parts:
                cost = 1 + length * len(path) // COMPARED
                for piece in pieces:
                    if work > STEP:
                        work = 0
                        yield
                    work += cost
                    if piece in path:
                        present.add(piece)
            else:
                if work > STEP:
                    work = 0
                    yield
                work += parts * (1 + length // COMPARED)
                present |= pieces.intersection(path[at : at + length] for at in range(parts))
        return present


class AgentRules:
    """The rules for one user agent: those of its own groups or of everybody's, and those of each other token that
    counts."""

    def __init__(self, rules: Iterable[RobotsRules]) -> None:
        self._rules = tuple(rules)
        self.crawl_delay = max((each.crawl_delay for each in self._rules if each.crawl_delay is not None), default=None)

    def allows(self, url: str) -> bool:
        """Returns whether an address may be requested, without pauses."""
        return all(each.allows(url) for each in self._rules)

    def decide(self, url: str) -> Steps:
        """Returns whether an address may be requested; yields after each step of work."""
        for each in self._rules:
            if not (yield from each.decide(url)):
                return False
        return True


class RulesFile:
    """A robots.txt: its rules for any user agent. The text is kept instead of Protego's parsed form, which takes up to
    twenty times the memory."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._by_tokens: dict[tuple[str, ...], AgentRules] = {}

    def knows(self, agent: str) -> bool:
        """Returns whether the rules for a user agent are compiled; if not, `rules` takes time."""
        return sent_tokens(agent) in self._by_tokens

    def rules(self, agent: str) -> AgentRules:
        """Returns the rules for a user agent, compiled at the first call."""
        sent = sent_tokens(agent)
        if sent not in self._by_tokens:
            self._by_tokens[sent] = AgentRules(self._compiled(sent))
        return self._by_tokens[sent]

    def _compiled(self, sent: tuple[str, ...]) -> Iterator[RobotsRules]:
        groups = _groups(self._text, {*sent, PRODUCT})
        own = [token for token in sent if token in groups] or [EVERYBODY]
        for token in dict.fromkeys([*own, PRODUCT]):
            if (group := groups.get(token)) is not None:
                # Protego has no public way to its patterns.
                rules = ((rule.value._pattern, rule.field == "allow") for rule in group.rules._rules)  # noqa: SLF001
                yield RobotsRules(rules, max(group.delays, default=None))


@dataclass(frozen=True, slots=True)
class _Group:
    """All that a robots.txt says to one product token."""

    rules: _RuleSet = field(default_factory=lambda: _RuleSet(Protego()))
    delays: list[float] = field(default_factory=list)

    def add(self, name: str, value: str) -> None:
        """Adds a line of this name, if it is a rule or a Crawl-delay."""
        if name in _ALLOW_DIRECTIVE:
            self.rules.allow(value)
        elif name in _DISALLOW_DIRECTIVE:
            self.rules.disallow(value)
        elif name in _CRAWL_DELAY_DIRECTIVE:
            self.rules.crawl_delay = value
            if self.rules.crawl_delay is not None:
                self.delays.append(self.rules.crawl_delay)


def _groups(text: str, tokens: set[str]) -> dict[str, _Group]:
    """Returns the groups for product tokens and for everybody, as far as the file has them.

    Protego reads the lines. It does not build the groups: it keeps each rule once for every user-agent line above it,
    which are 400 million rules for a file of 512 kB with 18,000 such lines and 23,000 rules.
    """
    found: dict[str, _Group] = {}
    wanted = {*tokens, EVERYBODY}
    current: set[str] = set()
    is_header = True
    for name, value in _directives(text):
        if name in _USER_AGENT_DIRECTIVE:
            named = {token_of(value), token_of(value.replace("*", ""))} & wanted
            current = current | named if is_header else named
            is_header = True
            for agent in named:
                found.setdefault(agent, _Group())
        elif name not in _SITE_WIDE_DIRECTIVES:
            is_header = False
            for agent in current if value else ():
                found[agent].add(name, value)
    return found


def _directives(text: str) -> Iterator[tuple[str, str]]:
    """Yields name and value of each line that has them."""
    for line in text.splitlines():
        parsed = _extract_directive(_TAG.sub("", line).partition("#")[0].strip())
        if parsed is not None:
            yield parsed
