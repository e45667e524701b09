"""An object store (moto) on loopback, and a proxy that injects faults."""

from __future__ import annotations

import base64
import hashlib
import http.client
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer

KEY, SECRET, TOKEN = "AKIAHARBOURKEY", "harbour-secret", "harbour-token"
DENIED: Final = f"""<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>{KEY}</AWSAccessKeyId>
<CanonicalRequest>x-amz-security-token:{TOKEN}</CanonicalRequest></Error>"""
"""What a store answers to a wrong key: it repeats the key's name and the token."""
OF_CONNECTION: Final = frozenset({"connection", "transfer-encoding", "date", "server"})
"""Headers of an answer that this server makes itself."""
GIVE_UP_SECONDS: Final = 60.0
"""In which a client surely gives up on an answer."""


class Proxy(KeepAliveServer):
    """Passes requests on with faults: each request of `method` takes one fault from the beginning of `faults`."""

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.port = port
        self.faults: list[str | None] = []
        self.method = "PUT"
        self.requests: list[str] = []
        """The methods and ranges of all requests."""

    @property
    def address(self) -> str:
        """Returns its address."""
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def variables(self) -> dict[str, str]:
        """Returns the environment variables that select it."""
        return {
            "AWS_ENDPOINT_URL": self.address,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_SESSION_TOKEN": TOKEN,
        }

    def new_bucket(self, name: str) -> None:
        """Creates a bucket, without the proxy."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=GIVE_UP_SECONDS)
        try:
            connection.request("PUT", f"/{name}")
            assert connection.getresponse().status == 200
        finally:
            connection.close()

    def fail(self, method: str, *faults: str | None) -> None:
        """Injects these faults into the next requests of the method. The last one applies to all that follow."""
        self.method, self.faults = method, list(faults)


class _Handler(KeepAliveHandler):
    server: Proxy

    def do_GET(self) -> None:  # noqa: N802  the name that http.server looks for
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        wanted = self.headers.get("Range")
        self.server.requests.append(f"{self.command} {wanted}" if wanted else self.command)
        fault = self._fault()
        if fault == "denied":
            self.answer(403, {}, DENIED.encode())
        elif fault == "busy":
            self.answer(503, {}, b"<Error><Code>SlowDown</Code></Error>")
        elif fault == "cut":
            self.close_connection = True
        elif fault == "slow":
            self._outlast()
        else:
            self._passed(body, fault)

    do_PUT = do_DELETE = do_HEAD = do_POST = do_GET  # noqa: N815

    def _fault(self) -> str | None:
        faults = self.server.faults
        if self.command != self.server.method or not faults:
            return None
        return faults[0] if len(faults) == 1 else faults.pop(0)

    def _passed(self, body: bytes, fault: str | None) -> None:
        if fault == "changed":
            body = body[:-1] + bytes([body[-1] ^ 1])
        checksum = self.headers.get("x-amz-checksum-sha256")
        if body and checksum != base64.b64encode(hashlib.sha256(body).digest()).decode():
            self.answer(400, {}, b"<Error><Code>BadDigest</Code></Error>")
            return
        headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
        if fault == "whole":
            headers = {name: value for name, value in headers.items() if name.lower() != "range"}
        status, found, answer = self._asked(headers, body)
        found = {name: value for name, value in found.items() if name.lower() not in OF_CONNECTION}
        if fault == "cut after":
            self.close_connection = True
        elif fault == "cut within":
            self.answer(status, found | {"Content-Length": str(len(answer))}, answer[: len(answer) // 2])
            self.close_connection = True
        else:
            self.answer(status, found, answer)

    def _asked(self, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=GIVE_UP_SECONDS)
        try:
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def _outlast(self) -> None:
        """Waits until the client closes the connection."""
        self.connection.settimeout(GIVE_UP_SECONDS)
        with suppress(OSError):
            while self.connection.recv(1 << 16):
                pass
        self.close_connection = True


@contextmanager
def object_server() -> Iterator[Proxy]:
    """A store without buckets, behind its proxy, while it runs."""
    from moto.server import ThreadedMotoServer  # half a second of CPU, which few processes are to pay

    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    proxy = Proxy(int(moto.get_host_and_port()[1])).start()
    try:
        yield proxy
    finally:
        proxy.stop()
        moto.stop()
