"""Decides what an answer to /robots.txt means (RFC 9309). Pure; fetching is done elsewhere.

2xx                     its rules, for at most 24 hours (section 2.4)
4xx except 429          everything is allowed, whatever the body says (section 2.3.1.3)
5xx, 429, no answer     everything is disallowed, and robots.txt is tried again soon (section 2.3.1.4). 429 belongs
                        here because the host wants fewer requests (as Google reads it; stricter than the RFC). The
                        last good answer (its rules, or that there were none) stays in force for `KEEP_GOOD`
                        (section 2.4)
too many redirects      as no answer; rules found after a redirect belong to the authority first asked (section 2.3.1.2)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal
from urllib.parse import urlsplit

from newscrawl.crawling.scheduling.robots_rules import RulesFile

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
