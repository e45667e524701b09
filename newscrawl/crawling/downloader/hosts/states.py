"""The store that the host throttle needs: the states of hosts beyond a crawl, and claims against other processes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from newscrawl.scheduling.host import HostState

CLAIM_AGAIN: Final = 0.1
"""Seconds between two attempts to claim a host to which another process is sending a request."""


@dataclass(frozen=True, slots=True)
class HostClaim:
    """The answer to a claim of a host. `state` is the host's state after the requests of other processes; None if there
    were none. A claim that was not granted is repeated after `again_in` seconds."""

    is_granted: bool
    state: HostState | None = None
    again_in: float = CLAIM_AGAIN


class HostStates(Protocol):
    """Stores host states beyond a crawl."""

    async def load(self, host: str) -> HostState | None:
        """Returns the state last saved for this host; None if there is none."""

    async def claim(self, host: str, known: HostState, delay: float, now: datetime) -> HostClaim:
        """Claims the host for one request, until `release`. `delay` is the wait since the latest request that this
        process keeps, in seconds. A claim is not granted while another process has a request in progress, or was
        granted one so lately that `known` must be replaced first."""

    def release(self, host: str) -> None:
        """Ends the claim: the request is complete, or is not sent."""

    def may_send(self, host: str) -> bool:
        """Returns whether the claim is still in force, so that the bytes of a request may be written now."""

    async def begin(self, host: str, state: HostState, delay: float) -> None:
        """Records that a request is about to be sent. `delay` is the wait of the next one, in seconds. Raises
        StorageError if that cannot be stored; then the request is not sent."""

    async def save(self, host: str, state: HostState) -> None:
        """Stores the state. It is called after every request, so it must be cheap or defer its work."""

    def forget(self, host: str) -> None:
        """Drops the data about a host whose state is no longer in memory."""

    async def close(self) -> None:
        """Releases the hosts for which other processes wait."""


class NoHostStates:
    """The default: every crawl begins without stored states."""

    async def load(self, host: str) -> HostState | None:
        """Returns None: nothing is stored."""
        return None

    async def claim(self, host: str, known: HostState, delay: float, now: datetime) -> HostClaim:
        """Grants the claim: there are no other processes."""
        return HostClaim(is_granted=True)

    def release(self, host: str) -> None:
        """Does nothing: there are no other processes."""

    def may_send(self, host: str) -> bool:
        """Returns True: there are no other processes."""
        return True

    async def begin(self, host: str, state: HostState, delay: float) -> None:
        """Does nothing."""

    async def save(self, host: str, state: HostState) -> None:
        """Does nothing."""

    def forget(self, host: str) -> None:
        """Does nothing."""

    async def close(self) -> None:
        """Does nothing."""
