"""The demo site for tests: as a value, and served on a port of its own."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from patience import PATIENCE

from newscrawl.demo import DemoServer, DemoSite


@dataclass(frozen=True)
class Reply:
    """What came over the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Ask = Callable[..., Reply]


@pytest.fixture(scope="session")
def site() -> DemoSite:
    return DemoSite()


@pytest.fixture
def server(site: DemoSite) -> Iterator[DemoServer]:
    with DemoServer(site, port=0) as running:
        yield running


@pytest.fixture
def ask(server: DemoServer) -> Ask:
    """Send one request to the running server; headers are keyword arguments with underscores."""

    def send(path: str, method: str = "GET", **headers: str) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        try:
            connection.request(method, path, headers={name.replace("_", "-"): text for name, text in headers.items()})
            response = connection.getresponse()
            return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    return send
