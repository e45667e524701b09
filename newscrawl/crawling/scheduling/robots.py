"""Decides what an answer to /robots.txt means (RFC 9309). Pure: `crawling.downloader.middlewares.robots` fetches it.

2xx                     its rules, for at most 24 hours (section 2.4)
4xx except 429          everything is allowed, whatever the body says (section 2.3.1.3)
5xx, 429, no answer     the last good answer (its rules, or that there were none) stays in force for `KEEP_GOOD`
                        (section 2.4); without one, everything is disallowed (section 2.3.1.4). robots.txt is tried
                        again soon. 429 belongs here because the host wants fewer requests (as Google reads it;
                        stricter than the RFC)
too many redirects      as no answer; rules found after a redirect belong to the authority first asked (section 2.3.1.2)

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
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from protego import Protego

MAX_ROBOTS_BYTES: Final = 512 * 1024
"""Only this much of a robots.txt is read (RFC 9309, section 2.5, asks for at least 500 KiB)."""

MAX_REDIRECTS: Final = 5
"""RFC 9309, section 2.3.1.2."""

FRESH_FOR: Final = timedelta(hours=24)
"""RFC 9309, section 2.4: not longer than 24 hours."""

FIRST_RETRY: Final = timedelta(minutes=5)
"""An unreachable robots.txt is tried again after this pause, which then doubles up to `FRESH_FOR`."""

KEEP_GOOD: Final = timedelta(days=30)
"""How long the last good answer (its rules, or that there were none) is used while robots.txt cannot be read. Google
documents 30 days for its own crawler."""

ROBOTS_PATH: Final = "/robots.txt"

Reading = Literal["rules", "allow", "disallow"]

CLOCKS_APART: Final = timedelta(minutes=10)
"""By how much the clock of the machine that fetched a robots.txt may be ahead of the clock of one that uses it."""

DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def authority_of(url: str) -> str:
    """Returns the scope of a robots.txt (RFC 9309, section 2.3): "https://example.com" or "http://example.com:8080".

    Raises ValueError for a URL without a host or with an impossible port.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if not host:
        raise ValueError(f"no host in {url!r}")
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in {None, DEFAULT_PORTS.get(parts.scheme)} else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Robots:
    """The result of the latest requests for a host's robots.txt. `body` has at most `MAX_ROBOTS_BYTES`.

    If `failures` is not 0 and there are rules or the reading is "allow", rules and reading are those of the last good
    answer (at `good_at`); `status`, `fetched_at`, `expires_at` and `reason` are of the latest failed one.
    """

    reading: Reading
    status: int | None
    fetched_at: datetime
    expires_at: datetime
    body: bytes = b""
    failures: int = 0
    reason: str = ""
    good_at: datetime | None = None
    rules: RulesFile | None = field(default=None, compare=False, repr=False)

    def fresh(self, now: datetime) -> bool:
        """Returns whether the result is still valid: it has not expired, and it was not fetched in the future, as it
        seems after the clock was set back. The clocks of two machines may differ by `CLOCKS_APART`."""
        return self.fetched_at - CLOCKS_APART <= now < self.expires_at

    def allows(self, url: str, agent: str) -> bool:
        """Returns whether a crawler may request `url`. `agent` is its User-Agent header or its product token."""
        if self.rules is None:
            return self.reading != "disallow"
        if urlsplit(url).path == ROBOTS_PATH:
            return True  # section 2.2.2: implicitly allowed, so that Sitemap lines can be read
        return self.rules.rules(agent).allows(url)

    def is_too_costly(self, agent: str) -> bool:
        """Returns whether it has more rules for `agent` than may be tried for each address, so that nothing is
        allowed."""
        return self.rules is not None and self.rules.rules(agent).is_too_costly

    def crawl_delay(self, agent: str) -> float | None:
        """Returns the Crawl-delay for `agent` in seconds, as given; None without one."""
        return self.rules.rules(agent).crawl_delay if self.rules else None


def read_answer(status: int, body: bytes, now: datetime, previous: Robots | None = None) -> Robots:
    """Returns what an answer with this status and body means. A redirect that was not followed counts as no answer."""
    if 200 <= status < 300:
        return restored(Robots("rules", status, now, now + FRESH_FOR, cut(body), good_at=now))
    if 400 <= status < 500 and status != 429:
        return Robots("allow", status, now, now + FRESH_FOR, good_at=now)
    return read_failure(f"answered {status}", now, previous, status=status)


def read_failure(reason: str, now: datetime, previous: Robots | None = None, status: int | None = None) -> Robots:
    """Returns what a missing or unusable answer means: the last good answer stays in force, or nothing is allowed,
    until the next attempt after a growing pause."""
    failures = previous.failures + 1 if previous else 1
    again = now + min(FIRST_RETRY * 2 ** min(failures - 1, 12), FRESH_FOR)
    if previous is not None and _holds(previous, now):
        since = {"status": status, "fetched_at": now, "expires_at": again, "failures": failures, "reason": reason}
        return replace(previous, **since)
    return Robots("disallow", status, now, again, failures=failures, reason=reason)


def _holds(robots: Robots, now: datetime) -> bool:
    """Returns whether the last good answer (its rules, or that there are none) still counts."""
    good = robots.rules is not None or robots.reading == "allow"
    return good and robots.good_at is not None and now - robots.good_at < KEEP_GOOD


def restored(robots: Robots) -> Robots:
    """Returns the result with the rules of its body. Call it after reading a result from storage."""
    if robots.reading != "rules":
        return robots
    expires_at = min(robots.expires_at, robots.fetched_at + FRESH_FOR)
    return replace(robots, expires_at=expires_at, rules=RulesFile(decode(robots.body)))


def cut(body: bytes) -> bytes:
    """Returns the first `MAX_ROBOTS_BYTES` without a line that was cut, because half a rule is another rule."""
    if len(body) <= MAX_ROBOTS_BYTES:
        return body
    head = body[:MAX_ROBOTS_BYTES]
    return head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1]


def decode(body: bytes) -> str:
    """Returns the text of a robots.txt: UTF-8 (section 2.2), of whose byte order mark a part may be missing, or UTF-16
    after its own; never raises."""
    encoding = "utf-8-sig"
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    return body.decode(encoding, errors="replace").replace("\0", "").lstrip("\ufeff\ufffd")


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
