"""No connection is made to a loopback address, however it is written and wherever it comes from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from crawls import Crawl
from hostile_server import HostileServer, robots

SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.0.0.1.",
    "2130706433",
    "0177.0.0.1",
    "0177.0.0.01",
    "017700000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0x7f000001",
    "0X7F.0x0.0x0.0x1",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127.0.0.1%2e",
    "someone@127.0.0.1",
    "good.example:80@127.0.0.1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "name.localhost",
    "0",
    "0.0.0.0",
    "0x0",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "inside.example",
    "six.example",
    "mapped.example",
    "mixed.example",
    "mixed-six.example",
    "xn--nxasmq6b.inside.example",
    "169.254.169.254",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
]
NAMES = {
    "inside.example": ["127.0.0.1"],
    "six.example": ["::1"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "mixed.example": ["93.184.215.14", "127.0.0.1"],
    "mixed-six.example": ["93.184.215.14", "::1"],
    "xn--nxasmq6b.inside.example": ["127.0.0.1"],
}
NEVER_ASKED = {"no_request", "security/blocked_address", "security/bad_url", "download/dns", "robots/unreachable"}


@pytest.fixture(scope="module")
def canary() -> Iterator[HostileServer]:
    """Must not be reached."""
    server = HostileServer("127.0.0.1").start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def allowed() -> Iterator[HostileServer]:
    """Stands for the open internet: its address is let through."""
    server = HostileServer("127.0.0.2").start()
    yield server
    server.stop()


@pytest.fixture
def outside(canary: HostileServer) -> Iterator[HostileServer]:
    """A server on the allowed address and the canary's port."""
    server = HostileServer("127.0.0.2", canary.port).start()
    yield server
    server.stop()


@pytest.fixture
def six_canary() -> Iterator[HostileServer]:
    """The canary's sister on the IPv6 loopback address."""
    try:
        server = HostileServer("::1").start()
    except (OSError, AssertionError):
        pytest.skip("this machine has no IPv6")
    yield server
    server.stop()


def settings(*ports: int) -> dict[str, object]:
    """The canary's port is allowed, so that its address alone can keep anybody from it."""
    return {
        "NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.2"],
        "NEWSCRAWL_ALLOWED_PORTS": [str(port) for port in ports],
        "DOWNLOAD_TIMEOUT": 20,
        "RETRY_TIMES": 0,
    }


def test_the_table_of_spellings_bites(crawl: Crawl, canary: HostileServer) -> None:
    """With loopback let through, most of them do lead to the canary: they are refused for what they are."""
    crawl(
        [f"http://{spelling}:{canary.port}/" for spelling in SPELLINGS[:22]],
        names=NAMES,
        settings={**settings(canary.port), "NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.0/8"]},
    )
    assert len(canary.asked(path="/")) >= 15
    canary.hits.clear()


def test_no_spelling_of_a_start_address_reaches_the_canary(crawl: Crawl, canary: HostileServer) -> None:
    urls = [f"http://{spelling}:{canary.port}/" for spelling in SPELLINGS]
    crawled = crawl(urls, names=NAMES, settings=settings(canary.port))
    assert canary.hits == []
    kinds = {url: crawled.kind(url) for url in urls}
    assert set(kinds.values()) <= NEVER_ASKED, kinds
    assert sum(kind == "security/blocked_address" for kind in kinds.values()) >= 35
    assert crawled.stats["security/blocked_address"] >= 35


def test_no_spelling_in_a_redirect_reaches_the_canary(
    crawl: Crawl, canary: HostileServer, allowed: HostileServer
) -> None:
    allowed.targets[:] = [f"http://{spelling}:{canary.port}/" for spelling in SPELLINGS]
    urls = [allowed.url(f"/to?target={number}") for number in range(len(SPELLINGS))]
    crawled = crawl(urls, names=NAMES, settings=settings(canary.port))
    assert len(allowed.asked(path="/to")) == len(SPELLINGS)
    assert canary.hits == []
    assert {crawled.kind(url) for url in urls} <= NEVER_ASKED | {"redirect/bad_location"}


def test_no_redirect_of_a_robots_txt_reaches_the_canary(
    crawl: Crawl, canary: HostileServer, allowed: HostileServer
) -> None:
    hosts = {f"robots{number}.example": spelling for number, spelling in enumerate(SPELLINGS)}
    for host, spelling in hosts.items():
        allowed.robots[host] = robots("", 302, Location=f"http://{spelling}:{canary.port}/robots.txt")
    urls = [allowed.url("/page", host) for host in hosts]
    crawled = crawl(
        urls, names=NAMES | {host: ["127.0.0.2"] for host in hosts}, settings=settings(canary.port, allowed.port)
    )
    assert canary.hits == []
    assert {crawled.kind(url) for url in urls} == {"robots/unreachable"}
    assert allowed.asked(path="/page") == []


def test_no_link_of_a_page_reaches_the_canary(crawl: Crawl, canary: HostileServer, allowed: HostileServer) -> None:
    links = "".join(f'<a href="http://{spelling}:{canary.port}/linked">link</a>' for spelling in SPELLINGS)
    allowed.robots["links.example"] = robots(links, Content_Type="text/html")
    url = allowed.url("/robots.txt", "links.example")
    crawl(
        [url],
        names=NAMES | {"links.example": ["127.0.0.2"]},
        settings={**settings(canary.port, allowed.port), "TEST_FOLLOW": True},
    )
    assert canary.hits == []


def test_the_ipv6_loopback_is_refused_too(crawl: Crawl, six_canary: HostileServer) -> None:
    urls = [six_canary.url("/"), f"http://six.example:{six_canary.port}/"]
    crawled = crawl(urls, names=NAMES, settings=settings(six_canary.port))
    assert six_canary.hits == []
    assert {crawled.kind(url) for url in urls} == {"security/blocked_address"}


def test_a_name_that_turns_inward_between_two_requests_is_refused(
    crawl: Crawl, canary: HostileServer, outside: HostileServer
) -> None:
    """DNS rebinding: robots.txt and the first page come from outside; then the name's answer expires and changes. No
    connection is kept: one would go on to lead outside, whatever the name says."""
    outside.closing.add("rebinding.example")
    urls = [f"http://rebinding.example:{canary.port}/{number}" for number in range(3)]
    crawled = crawl(
        urls,
        names={"rebinding.example": [["127.0.0.2"], ["127.0.0.2"], ["127.0.0.1"]]},
        settings={**settings(canary.port), "TEST_CLOCK_STEP": 1000, "RETRY_TIMES": 0},
    )
    assert canary.hits == []
    assert len(outside.hits) == 2
    assert sorted(crawled.kind(url) for url in urls) == ["page", "security/blocked_address", "security/blocked_address"]


def test_a_global_address_on_an_unusual_port_is_refused(crawl: Crawl) -> None:
    crawled = crawl(["http://outside.example:22/"], names={"outside.example": ["93.184.215.14"]}, settings=settings())
    assert crawled.kind("http://outside.example:22/") == "security/blocked_address"
    assert "port 22" in crawled.outcomes["http://outside.example:22/"]["reason"]


def test_other_schemes_and_proxies_are_not_asked(crawl: Crawl, allowed: HostileServer) -> None:
    asked = {"url": allowed.url("/proxied"), "meta": {"proxy": allowed.url("/")}}
    urls = ["file:///etc/passwd", "ftp://127.0.0.2/", "data:text/html,hello", "s3://bucket/key"]
    crawled = crawl([*urls, asked], settings=settings())
    assert {crawled.kind(url) for url in urls} <= {"security/bad_url", "security/scheme"}
    assert crawled.kind(allowed.url("/proxied")) == "security/proxy"
    assert allowed.asked(path="/proxied") == []
