"""Listens: binds the socket, says where the pages are, and serves them until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from newscrawl.errors import UsageError, os_reason
from newscrawl.web.application import Pages, make_application, utc_now
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import Listening, WebSettings

CONNECTIONS: Final = 64
"""Connections at a time. More are answered with 503."""
REQUEST_SECONDS: Final = 15.0
"""Seconds that a client has to send a request with its body, from the connection or from the end of the answer before
it. So clients that send none keep others out for no longer."""
MAX_HEAD: Final = 32_768
"""Bytes of a request's line and headers."""
BACKLOG: Final = 64


def serve(settings: WebSettings, say: Callable[[str], None]) -> None:
    """Serves the pages until SIGINT or SIGTERM. `say` gets the lines for the operator. Raises UsageError if the address
    is in use, and the errors of `make_application`."""
    with listen(settings.listening) as bound:
        settings = replace(settings, listening=replace(settings.listening, port=bound.getsockname()[1]))
        logins = Logins(settings.token, utc_now)
        pages = Pages(settings, logins, utc_now)
        application = make_application(settings, logins, pages=pages)
        for line in lines(settings, logins.new_key()):
            say(line)
        warming = threading.Thread(target=pages.warm_up, name="newscrawl-web-warm-up", daemon=True)
        warming.start()
        with closing(pages):
            server_of(application).run(sockets=[bound])


def listen(listening: Listening) -> socket.socket:
    """Returns a socket on which connections wait to be accepted. Raises UsageError."""
    family = socket.AF_INET6 if ":" in listening.address else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((listening.address, listening.port))
        bound.listen(BACKLOG)  # who follows the printed address at once is answered when the server runs
    except OSError as error:
        bound.close()
        where = f"{listening.name}:{listening.port}"
        raise UsageError(f"cannot listen on {where}: {os_reason(error)}; choose another with --listen") from error
    return bound


def server_of(application: Any) -> uvicorn.Server:
    """Returns a server that writes no line for each request: addresses may hold secrets."""
    config = uvicorn.Config(
        application,
        http=PatientProtocol,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
        backlog=BACKLOG,
        h11_max_incomplete_event_size=MAX_HEAD,
        timeout_graceful_shutdown=3,
    )
    logging.getLogger("uvicorn.access").disabled = True  # `access_log` only takes away its handlers
    return _Server(config)


class PatientProtocol(H11Protocol):
    """HTTP for one connection, which is closed if a request is not complete in time. uvicorn itself waits endlessly for
    a first request."""

    seconds = REQUEST_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begins to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        """Begins to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the waiting."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(self.seconds, self._close)

    def _close(self) -> None:
        if self.conn.their_state in {h11.IDLE, h11.SEND_BODY}:  # else it waits for an answer
            self.transport.close()


class _Server(uvicorn.Server):
    """Ends in order on SIGINT and SIGTERM. uvicorn's own server raises the signal again after that, so that the process
    would end by it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ends the server on a signal, while the block runs."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        former = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)


def lines(settings: WebSettings, key: str) -> list[str]:
    """Returns what an operator reads at the start: the address that logs in, and what the pages may do."""
    may = "the pages may act (--actions)" if settings.actions else "the pages only show; --actions lets them act"
    found = [
        f"newscrawl web: open {settings.base}/login?key={key}",
        f"newscrawl web: this address works once, within ten minutes; {may}; Ctrl-C stops",
    ]
    if settings.listening.is_wildcard and not settings.origins:
        found.append(
            "newscrawl web: other machines are refused until --origin names the address that their browsers show, "
            f"as --origin http://HOST:{settings.listening.port}"
        )
    return found
