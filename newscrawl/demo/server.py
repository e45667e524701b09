"""The demo site on loopback: a thread that serves until it is stopped, and a log of all requests."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass
from errno import EADDRINUSE
from types import TracebackType
from typing import Final, Self

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.demo.site import ORIGIN, DemoSite

LOOPBACK: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8765

_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request as the server saw it; `at` is time.monotonic() at its arrival."""

    method: str
    path: str
    status: int
    at: float
    user_agent: str = ""


class DemoServer:
    """Serves a `DemoSite` on 127.0.0.1 between `start` and `stop`, or inside a with statement.

    If `port` is taken, another one is used and `port` is set to it. Links in the pages repeat the Host header of the
    request, so that a client that requests the site under its name (`ORIGIN`) never sees the real port.
    """

    def __init__(self, site: DemoSite | None = None, port: int = DEFAULT_PORT) -> None:
        self.site = site or DemoSite()
        self.port = port
        self._log: list[LoggedRequest] = []
        self._lock = threading.Lock()
        self._http: _Server | None = None

    @property
    def log(self) -> tuple[LoggedRequest, ...]:
        """Every request so far, in the order of arrival."""
        with self._lock:
            return tuple(self._log)

    def start(self) -> Self:
        """Binds a port and begins to serve. Raises OSError if no port is free."""
        self._http = _listen(self, self.port).start()
        self.port = self._http.server_address[1]
        return self

    def stop(self) -> None:
        """Stops serving and waits until every thread has ended. Does nothing if the server is not running."""
        if self._http is not None:
            self._http.stop()
            self._http = None

    def wait(self) -> None:
        """Block until the server is stopped."""
        if self._http is not None:
            self._http.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def arrive(self, at: float, method: str, path: str, user_agent: str) -> int:
        """Records a request before it is answered. Returns its number, from 0."""
        with self._lock:
            self._log.append(LoggedRequest(method, path, 0, at, user_agent))
            return len(self._log) - 1

    def answered(self, number: int, status: int) -> None:
        """Records the status of the answer to request `number`."""
        with self._lock:
            hit = self._log[number]
            self._log[number] = LoggedRequest(hit.method, hit.path, status, hit.at, hit.user_agent)


def _listen(demo: DemoServer, port: int) -> _Server:
    try:
        return _Server(demo, port)
    except OSError as error:
        if error.errno != EADDRINUSE:
            raise
        return _Server(demo, 0)


class _Server(KeepAliveServer):
    thread_name = "demo-site"

    def __init__(self, demo: DemoServer, port: int) -> None:
        self.demo = demo
        super().__init__((LOOPBACK, port), _Handler)


class _Handler(KeepAliveHandler):
    server: _Server

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server looks for
        demo = self.server.demo
        arrival = time.monotonic()
        number = demo.arrive(arrival, self.command, self.path, self.headers.get("User-Agent", ""))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = demo.site.answer(self.command, self.path, headers, base=self._base(), hit=number)
        demo.answered(number, answer.status)
        closing = {}
        if self.command == "POST":  # its body is not read: the connection ends with the answer
            self.close_connection = True
            closing = {"Connection": "close"}
        self.answer(answer.status, {**answer.headers, **closing}, answer.body)

    do_HEAD = do_GET  # noqa: N815
    do_POST = do_GET  # noqa: N815

    def _base(self) -> str:
        host = self.headers.get("Host", "")
        return f"http://{host}" if _HOST.fullmatch(host) else ORIGIN

    def version_string(self) -> str:
        return "newscrawl-demo"
