"""The log-in address that works once, the sessions of browsers, and the token of programs. Kept in memory only."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

KEY_LIFE: Final = timedelta(minutes=10)
"""The time for which a log-in address works."""
SESSION_LIFE: Final = timedelta(hours=12)
"""The time for which a session lasts after its log-in."""
MAX_SESSIONS: Final = 100
"""Sessions at a time. The oldest ends when another one begins."""
SECRET_BYTES: Final = 32
FIRST_PAUSE: Final = 0.1
MAX_PAUSE: Final = 2.0
"""Seconds before the answer to the first wrong secret, and to each after many. The pause doubles with each one."""
CALM: Final = timedelta(minutes=1)
"""The time without a wrong secret after which the next one counts as the first."""
MAX_PAUSED: Final = 16
"""Wrong secrets whose answers wait at a time. Others are answered at once: a stranger must not use up the connections
(newscrawl.web.server.CONNECTIONS)."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that has logged in. `name` is for events: it says nothing of the secret."""

    name: str
    ends: datetime


class Logins:
    """The log-in address, the sessions and the token. Secrets are kept as hashes, and compared in constant time."""

    def __init__(
        self, token: str, clock: Callable[[], datetime], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._token = _hash(token) if token else None
        self._clock = clock
        self._sleep = sleep
        self._wrong, self._wrong_at, self._paused = 0, datetime.min.replace(tzinfo=UTC), 0
        self._lock = Lock()
        self._keys: dict[bytes, datetime] = {}
        self._sessions: dict[bytes, Session] = {}

    @property
    def has_token(self) -> bool:
        """Whether a token gives access at all."""
        return self._token is not None

    def new_key(self) -> str:
        """Returns a key for a log-in address. It works once, within `KEY_LIFE`."""
        key = secrets.token_urlsafe(SECRET_BYTES)
        with self._lock:
            self._keys[_hash(key)] = self._clock() + KEY_LIFE
        return key

    def use_key(self, key: str) -> str | None:
        """Returns the secret of a new session; None for a key that was used, is too old, or was never given."""
        with self._lock:
            until = self._keys.pop(_hash(key), None)
            return self._begun() if until is not None and self._clock() < until else None

    def use_token(self, token: str) -> str | None:
        """Returns the secret of a new session for the token; None for another one."""
        if not self.accepts(token):
            return None
        with self._lock:
            return self._begun()

    def session(self, secret: str) -> Session | None:
        """Returns the session with this secret; None if there is none, or if it has ended."""
        with self._lock:
            found = self._sessions.get(_hash(secret))
        return found if found is not None and self._clock() < found.ends else None

    def end(self, secret: str) -> None:
        """Ends a session."""
        with self._lock:
            self._sessions.pop(_hash(secret), None)

    def accepts(self, token: str) -> bool:
        """Returns whether this is the token."""
        return self._token is not None and hmac.compare_digest(self._token, _hash(token))

    async def slow_down(self) -> None:
        """Waits before a wrong secret is answered, so that nobody tries many over a few connections. It holds back no
        other request: the right secret is answered at once meanwhile."""
        now = self._clock()
        self._wrong = self._wrong + 1 if now - self._wrong_at < CALM else 1
        self._wrong_at = now
        if self._paused >= MAX_PAUSED:
            return
        self._paused += 1
        try:
            await self._sleep(min(FIRST_PAUSE * 2 ** min(self._wrong - 1, 10), MAX_PAUSE))
        finally:
            self._paused -= 1

    def _begun(self) -> str:
        secret, now = secrets.token_urlsafe(SECRET_BYTES), self._clock()
        self._sessions = {key: one for key, one in self._sessions.items() if now < one.ends}
        while len(self._sessions) >= MAX_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        self._sessions[_hash(secret)] = Session(f"log-in {secrets.token_hex(3)}", now + SESSION_LIFE)
        return secret


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
