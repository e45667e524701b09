"""Every request obeys robots.txt, and a host whose robots.txt cannot be read gets no request."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from crawls import Crawl, Crawled
from hostile_server import ENDPOINTS, Connection, HostileServer, robots
from patience import under_limits

DISALLOW = "User-agent: *\nDisallow: /private\n"
PADDING = b"# a comment that is long enough to fill a file quickly, line after line after line\n"


async def infinite_robots(connection: Connection) -> None:
    await connection.start("Content-Type: text/plain", "")
    await connection.raw(DISALLOW.encode())
    while True:
        await connection.raw(PADDING * 500)


async def hop(connection: Connection) -> None:
    """Redirects /robots.txt?left=n down to /robots.txt?left=0, which forbids /private."""
    left = int(connection.query.get("left", connection.hit.host[4]))
    if left:
        await connection.answer(b"", 302, Location=f"/robots.txt?left={left - 1}")
    else:
        await connection.answer(DISALLOW.encode())


ROBOTS = {
    "forbids.example": robots(DISALLOW),
    "error.example": robots(DISALLOW, 500),
    "busy.example": robots("", 503),
    "toomany.example": robots("", 429),
    "drop.example": ENDPOINTS["/drop"],
    "hang.example": ENDPOINTS["/hang"],
    "nothttp.example": ENDPOINTS["/not-http"],
    "missing.example": robots(DISALLOW, 404),
    "closed.example": robots(DISALLOW, 403),
    "html.example": robots("<html><body>User-agent: * Disallow: /</body></html>", Content_Type="text/html"),
    "bom.example": robots(b"\xef\xbb\xbf" + DISALLOW.encode()),
    "utf16.example": robots(DISALLOW.encode("utf-16")),
    "nul.example": robots(b"\0\0" + DISALLOW.encode() + b"\0Disallow: /other\0"),
    "large.example": robots(DISALLOW.encode() + PADDING * (10 * 1024 * 1024 // len(PADDING)) + b"\nDisallow: /\n"),
    "endless.example": infinite_robots,
    "bomb.example": ENDPOINTS["/bomb"],
    "hops5.example": hop,
    "hops6.example": hop,
    "away.example": robots("", 301, Location="http://forbids.example:{port}/robots.txt"),
    "nowhere.example": robots("", 301, Location="javascript:alert(1)"),
    "named.example": robots("User-agent: newscrawl\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n"),
}
FORBIDS = {
    "forbids.example",
    "bom.example",
    "utf16.example",
    "nul.example",
    "large.example",
    "endless.example",
    "hops5.example",
    "away.example",
    "named.example",
}
ALLOWS = {"missing.example", "closed.example", "html.example"}
UNREACHABLE = ROBOTS.keys() - FORBIDS - ALLOWS
TOGETHER = 6
"""Simultaneous first requests, as many as showed the race in Scrapy's own middleware."""


@pytest.fixture(scope="module")
def crawled(hostile: HostileServer, crawl: Crawl) -> Crawled:
    hostile.robots |= ROBOTS
    hostile.robots["away.example"] = robots("", 301, Location=hostile.url("/robots.txt", "forbids.example"))
    hostile.targets[:] = [hostile.url("/private/target", "forbids.example")]
    hosts = [*ROBOTS, "start.example"]
    paths = [f"/private/{number}" for number in range(TOGETHER)] + ["/public"]
    urls = [hostile.url(path, host) for host in ROBOTS for path in paths]

    def answered(limit: float) -> Crawled:
        hostile.hits.clear()
        return crawl(
            [*urls, hostile.url("/to?target=0", "start.example")],
            names={host: ["127.0.0.1"] for host in hosts},
            settings={"NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.1"], "DOWNLOAD_TIMEOUT": limit, "RETRY_TIMES": 1},
        )

    def is_in_time(crawled: Crawled) -> bool:
        return {crawled.kind(hostile.url("/public", host)) for host in FORBIDS | ALLOWS} == {"page"}

    return under_limits(answered, is_in_time)


def private(hostile: HostileServer, host: str) -> list[str]:
    return [hit.path for hit in hostile.asked(host) if hit.path.startswith("/private")]


def robots_hits(hostile: HostileServer, host: str) -> int:
    return len([hit for hit in hostile.asked(host, "/robots.txt") if "?" not in hit.path])


@pytest.mark.parametrize("host", sorted(FORBIDS))
def test_a_forbidden_path_is_never_asked_for(hostile: HostileServer, crawled: Crawled, host: str) -> None:
    assert private(hostile, host) == []
    kinds = {crawled.kind(hostile.url(f"/private/{number}", host)) for number in range(TOGETHER)}
    assert kinds == {"robots/forbidden"}
    assert crawled.kind(hostile.url("/public", host)) == "page"


@pytest.mark.parametrize("host", sorted(ALLOWS))
def test_no_robots_txt_means_that_everything_is_allowed(hostile: HostileServer, crawled: Crawled, host: str) -> None:
    """Whatever the body of a 404 says."""
    assert len(private(hostile, host)) == TOGETHER
    assert crawled.kind(hostile.url("/public", host)) == "page"


@pytest.mark.parametrize("host", sorted(UNREACHABLE))
def test_an_unreadable_robots_txt_means_that_nothing_is_allowed(
    hostile: HostileServer, crawled: Crawled, host: str
) -> None:
    assert private(hostile, host) == []
    assert hostile.asked(host, "/public") == []
    assert crawled.kind(hostile.url("/public", host)) == "robots/unreachable"


def test_robots_txt_is_asked_for_once_however_many_wait_for_it(hostile: HostileServer, crawled: Crawled) -> None:
    asked = {host: robots_hits(hostile, host) for host in (FORBIDS | ALLOWS) - {"forbids.example"}}
    assert set(asked.values()) == {1}, asked


def test_an_unreadable_robots_txt_is_tried_once_more_and_then_left(hostile: HostileServer, crawled: Crawled) -> None:
    asked = {host: robots_hits(hostile, host) for host in ("error.example", "busy.example", "drop.example")}
    assert set(asked.values()) == {2}, asked


def test_the_target_of_a_redirect_is_judged_by_its_own_robots_txt(hostile: HostileServer, crawled: Crawled) -> None:
    assert crawled.kind(hostile.url("/to?target=0", "start.example")) == "robots/forbidden"


def test_robots_txt_comes_before_anything_else(hostile: HostileServer, crawled: Crawled) -> None:
    for host in ROBOTS:
        assert hostile.asked(host)[0].path == "/robots.txt"


def test_every_request_says_who_asks(hostile: HostileServer, crawled: Crawled) -> None:
    agents = {hit.headers.get("user-agent", "") for hit in hostile.hits}
    assert len(agents) == 1
    assert agents.pop().startswith("newscrawl/")
    assert not [hit for hit in hostile.hits if "cookie" in hit.headers or "referer" in hit.headers]


OF_TOKENS = {
    "acme.example": "User-agent: AcmeNews\nDisallow: /private\n\nUser-agent: *\nDisallow:\n",
    "ours.example": "User-agent: newscrawl\nDisallow: /private\n\nUser-agent: AcmeNews\nAllow: /\n",
    "lists.example": "User-agent: AcmeNews\nAllow: /\n\nUser-agent: *\nDisallow: /private\n",
    "all.example": "User-agent: newscrawl\nAllow: /\n\nUser-agent: *\nDisallow: /private\n",
    "digits.example": "User-agent: news360bot\nDisallow: /private\n\nUser-agent: *\nDisallow:\n",
    "twin.example": "User-agent: news24bot\nDisallow: /private\n\nUser-agent: *\nDisallow:\n",
}
"""Groups of others than newscrawl."""


@pytest.fixture(scope="module")
def tokens() -> Iterator[HostileServer]:
    """A server of its own, because the crawl above counts its requests."""
    server = HostileServer()
    server.robots |= {host: robots(text) for host, text in OF_TOKENS.items()}
    yield server.start()
    server.stop()


@pytest.mark.parametrize(
    ("settings", "forbidden"),
    [
        ({"USER_AGENT": "AcmeNews/1.0 (+https://acme.example)"}, {"acme", "ours", "all"}),
        ({"USER_AGENT": "Mozilla/5.0 (compatible; AcmeNews/1.0; +https://acme.example)"}, {"acme", "ours", "all"}),
        ({"DEFAULT_REQUEST_HEADERS": {"user-agent": "AcmeNews"}}, {"acme", "ours", "all"}),
        ({"USER_AGENT": "other/1", "ROBOTSTXT_USER_AGENT": "AcmeNews"}, {"acme", "ours", "all"}),
        ({"USER_AGENT": "AcmeNews", "ROBOTSTXT_USER_AGENT": "other"}, {"ours", "lists", "all"}),
        ({"USER_AGENT": "news24bot/2"}, {"ours", "lists", "all", "twin"}),
        ({}, {"ours", "lists"}),
    ],
)
def test_the_groups_of_the_token_that_is_sent_are_obeyed_and_those_of_newscrawl(
    tokens: HostileServer, crawl: Crawl, settings: dict[str, object], forbidden: set[str]
) -> None:
    """The settings stand in the class of the spider, as those of one site of a project do."""
    tokens.hits.clear()
    urls = [tokens.url("/private/1", host) for host in OF_TOKENS]
    found = crawl(
        urls,
        names={host: ["127.0.0.1"] for host in OF_TOKENS},
        settings={"NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.1"]},
        spider={"custom_settings": settings},
    )
    assert {url.split("/")[2].split(".")[0] for url in urls if found.kind(url) == "robots/forbidden"} == forbidden
    asked = {hit.host.split(".")[0] for hit in tokens.asked() if hit.path == "/private/1"}
    assert asked == {host.split(".")[0] for host in OF_TOKENS} - forbidden
