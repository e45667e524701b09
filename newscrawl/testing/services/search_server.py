"""A search server in a process of its own, and a proxy that injects faults."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.testing.services.local import free_port, required

FAULTS: Final = ("busy", "down", "drop", "drop after", "some busy", "slow")
"""All of a request put off (429); a 503; the connection cut before, or after the server took it; every second document
put off; an answer that comes after the client has given up."""


START_SECONDS: Final = 120.0
"""In which it starts on a machine that is as busy as can be."""
GIVE_UP_SECONDS: Final = 120.0
"""In which a client surely gives up on an answer."""


class Server:
    """The emulator of a search server. It keeps its port, and loses all data when it is killed."""

    def __init__(self) -> None:
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Starts the server without data."""
        binary = required("osmem_server", "a local search server").resolve_binary()
        arguments = [binary, "-addr", f"127.0.0.1:{self.port}", "-no-stdin-watch"]
        arguments += ["-parent-pid", str(os.getpid())]
        self._process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise RuntimeError("the search server does not start")

    def kill(self) -> None:
        """Kills the server with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def clear(self) -> None:
        """Deletes all indices, aliases and templates. Unlike a new server, it keeps its analysers loaded."""
        self.ask("DELETE", "/_all")
        self.ask("DELETE", "/_index_template/*")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the JSON of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, {"Content-Type": "application/json"})
            return json.loads(connection.getresponse().read() or b"{}")
        finally:
            connection.close()

    def documents(self, alias: str) -> dict[str, dict[str, Any]]:
        """Returns all documents by id, with their version as `_version`."""
        self.ask("POST", f"/{alias}/_refresh")
        found: dict[str, dict[str, Any]] = {}
        while True:
            query: dict[str, Any] = {"query": {"match_all": {}}, "size": 1_000, "version": True}
            query |= {"sort": [{"cluster": "asc"}]}
            if found:
                query["search_after"] = [max(int(number) for number in found)]
            hits = self.ask("POST", f"/{alias}/_search", query)["hits"]["hits"]
            if not hits:
                return found
            found.update((hit["_id"], hit["_source"] | {"_version": hit["_version"]}) for hit in hits)


class Proxy(KeepAliveServer):
    """Passes requests on. `fault` chooses what is done to a `_bulk` request: one of FAULTS, or None."""

    def __init__(self, target: Server, fault: Callable[[], str | None]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = target
        self.fault = fault
        self.refused: set[str] = set()
        """Documents (ids) that are answered with 400."""
        self.largest: int | None = None
        """Bytes above which a request is answered with 413."""


@contextmanager
def serving(proxy: Proxy) -> Iterator[str]:
    """Yields the proxy's URL while it runs."""
    proxy.start()
    try:
        yield f"http://127.0.0.1:{proxy.server_port}"
    finally:
        proxy.stop()


class _Handler(KeepAliveHandler):
    server: Proxy

    def do_GET(self) -> None:  # noqa: N802  the name that http.server looks for
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.path.endswith("/_bulk"):
            status, answer = self._pass_on(body)
            self.answer(status, {}, answer)
            return
        fault = self.server.fault()
        if self.server.largest is not None and len(body) > self.server.largest:
            self.answer(413, {}, b"too large")
        elif fault in {"busy", "down"}:
            self.answer(429 if fault == "busy" else 503, {}, b'{"error":{"type":"rejected","reason":"queue is full"}}')
        elif fault == "drop":
            self.close_connection = True
        else:
            status, answer = self._some(body, busy=fault == "some busy")
            if fault == "slow":
                self._outlast()
            if fault == "drop after":
                self.close_connection = True
            else:
                self.answer(status, {}, answer)

    do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815

    def _some(self, body: bytes, *, busy: bool) -> tuple[int, bytes]:
        """Passes on the documents that are neither refused nor deferred, and answers for all."""
        passed, results = list[bytes](), list[dict[str, Any] | None]()
        for number, (action, lines) in enumerate(_actions(body)):
            ((kind, where),) = action.items()
            if where["_id"] in self.server.refused and kind == "index":
                error = {"type": "mapper_parsing_exception", "reason": "refused on purpose"}
                results.append({kind: {"_id": where["_id"], "status": 400, "error": error}})
            elif busy and number % 2:
                error = {"type": "rejected_execution_exception", "reason": "queue is full"}
                results.append({kind: {"_id": where["_id"], "status": 429, "error": error}})
            else:
                results.append(None)
                passed.append(lines)
        items: Iterator[Any] = iter(())
        if passed:
            status, answer = self._pass_on(b"".join(passed))
            if status >= 300:
                return status, answer
            items = iter(json.loads(answer)["items"])
        return 200, json.dumps(
            {"errors": True, "items": [next(items) if result is None else result for result in results]}
        ).encode()

    def _outlast(self) -> None:
        """Waits until the client closes the connection."""
        self.connection.settimeout(GIVE_UP_SECONDS)
        with suppress(OSError):
            self.connection.recv(1, socket.MSG_PEEK)

    def _pass_on(self, body: bytes) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.target.port, timeout=30)
        try:
            headers = {"Content-Type": self.headers.get("Content-Type") or "application/json"}
            connection.request(self.command, self.path, body or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except OSError:
            return 502, b'{"error":"no server behind the proxy"}'
        finally:
            connection.close()


def _actions(body: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
    lines = iter(body.splitlines(keepends=True))
    for line in lines:
        action = json.loads(line)
        yield action, line if "delete" in action else line + next(lines)
