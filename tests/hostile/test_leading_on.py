"""Pages that lead on by a meta refresh, and redirects in a circle that end when their cookie is sent back."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from crawls import Crawl, Crawled
from hostile_server import ENDPOINTS, Connection, HostileServer, robots

HEAD = "<html><head><title>Moved</title>{}</head><body><p>This page has moved.</p></body></html>"
REFRESH = HEAD.format('<meta http-equiv="refresh" content="{}">')
TARGET = "/to-here"

PAGES = {
    "plain": REFRESH.format("0;url=/to-here"),
    "quoted": REFRESH.format("0; URL='/to-here'"),
    "blanks": REFRESH.format("  5 ;  url = /to-here "),
    "upper": HEAD.format("<META CONTENT='0;URL=/to-here' HTTP-EQUIV=Refresh>"),
    "relative": REFRESH.format("1;url=to-here"),
    "entity": HEAD.format('<meta http-equiv="refresh" content="0;&#117;rl=&quot;/to-here&quot;">'),
    "no-name": REFRESH.format("0; /to-here"),
    "body": "<html><body><p>Moved.</p><meta http-equiv=refresh content=0;url=/to-here></body></html>",
    "comma": REFRESH.format("0, url=/to-here"),
    "base": HEAD.format('<base href="/x/y"><meta http-equiv="refresh" content="0;url=../to-here">'),
}
"""Lead to TARGET."""
STAY = {
    "slow": REFRESH.format("300;url=/to-here"),
    "itself": REFRESH.format("1;url=/itself"),
    "reload": REFRESH.format("5"),
    "noscript": HEAD.format('<noscript><meta http-equiv="refresh" content="0;url=/to-here"></noscript>'),
    "comment": HEAD.format('<!-- <meta http-equiv="refresh" content="0;url=/to-here"> -->'),
    "empty": REFRESH.format("0;url="),
    "broken": REFRESH.format("0;url=http://["),
    "content": REFRESH.format("soon;url=/to-here"),
    "in-a-script": HEAD.format("<script>x='<meta http-equiv=refresh content=0;url=/to-here>'</script>"),
    "script": REFRESH.format("0;url=javascript:alert(1)"),
    "late": HEAD.format("x" * 9_000 + '<meta http-equiv="refresh" content="0;url=/to-here">'),
}
"""Are pages themselves."""
OTHERS = {
    "/in-a-circle": ("redirect/loop", REFRESH.format("0;url=/back")),
    "/back": ("redirect/loop", REFRESH.format("0;url=/in-a-circle")),
    "/on-and-on": ("redirect/too_many", REFRESH.format("0;url=/on-and-on?{}")),
    "/forbidden-next": ("robots/forbidden", REFRESH.format("0;url=/private")),
    "/inside": ("security/blocked_address", REFRESH.format("0;url=http://10.0.0.1/")),
    "/wall": ("page", ""),
    "/wall-far": ("page", ""),
    "/wall-refresh": ("page", ""),
    "/wall-for-ever": ("redirect/cookie_wall", ""),
    "/wall-elsewhere": ("redirect/loop", ""),
}
HOST = "leads.example"


def text(body: str) -> bytes:
    return body.encode()


async def lead(connection: Connection) -> None:
    """Answers a path of the tables above; the compressed one with gzip."""
    name = connection.hit.path.partition("?")[0]
    if name.lstrip("/") in PAGES:
        packed = gzip.compress(text(PAGES[name.lstrip("/")]))
        await connection.answer(packed, Content_Encoding="gzip")
    elif name == "/on-and-on":
        await connection.answer(text(OTHERS[name][1].format(connection.hit.path.count("1") * "1" + "1")))
    else:
        await connection.answer(text(STAY.get(name.lstrip("/")) or OTHERS[name][1]))


async def wall(connection: Connection) -> None:
    """Redirects to the same address, or to one beside it and back, until its cookie comes."""
    path, cookie = connection.hit.path, connection.hit.headers.get("cookie", "")
    if path == "/wall-for-ever":
        await connection.answer(b"", 302, Location=path, Set_Cookie="seen=1")
    elif path == "/wall-elsewhere":  # set by another host
        await connection.answer(b"", 302, Location=f"http://setter.example:{connection.server.port}/set")  # type: ignore[attr-defined]
    elif path == "/set":
        back = f"http://{HOST}:{connection.server.port}/wall-elsewhere"  # type: ignore[attr-defined]
        await connection.answer(b"", 302, Location=back, Set_Cookie="seen=1")
    elif "seen=1" in cookie:
        await connection.answer()
    elif path == "/wall-refresh":
        await connection.answer(text(REFRESH.format("0;url=/wall-refresh")), Set_Cookie="seen=1; Path=/; HttpOnly")
    elif path == "/wall-far":
        await connection.answer(b"", 302, Location="/wall-set")
    elif path == "/wall-set":
        await connection.answer(b"", 302, Location="/wall-far", Set_Cookie="seen=1; Max-Age=60")
    else:
        await connection.answer(b"", 302, Location=path, Set_Cookie="seen=1")


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    before = dict(ENDPOINTS)
    walls = ("/wall", "/wall-far", "/wall-refresh", "/wall-for-ever", "/wall-elsewhere", "/wall-set", "/set")
    ENDPOINTS.update({f"/{name}": lead for name in (*PAGES, *STAY)} | dict.fromkeys(OTHERS, lead))
    ENDPOINTS.update(dict.fromkeys(walls, wall))
    server = HostileServer()
    server.robots[HOST] = robots("User-agent: *\nDisallow: /private\n")
    yield server.start()
    server.stop()
    ENDPOINTS.clear()
    ENDPOINTS.update(before)


@pytest.fixture(scope="module")
def crawled(server: HostileServer, crawl: Crawl) -> Crawled:
    paths = [*(f"/{name}" for name in (*PAGES, *STAY)), *OTHERS, "/after"]
    return crawl(
        [server.url(path, HOST) for path in paths],
        names={HOST: ["127.0.0.1"], "setter.example": ["127.0.0.1"]},
        settings={"NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.1"], "NEWSCRAWL_HOST_DELAY": 0.0},
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_leads_on_is_a_redirect(server: HostileServer, crawled: Crawled, name: str) -> None:
    outcome = crawled.outcomes[server.url(f"/{name}", HOST)]
    assert (outcome["kind"], outcome["final"]) == ("page", server.url(TARGET, HOST))


@pytest.mark.parametrize("name", STAY)
def test_a_page_that_is_there_to_be_read_is_a_page(server: HostileServer, crawled: Crawled, name: str) -> None:
    outcome = crawled.outcomes[server.url(f"/{name}", HOST)]
    assert (outcome["kind"], outcome["final"]) == ("page", server.url(f"/{name}", HOST))


@pytest.mark.parametrize("path", OTHERS)
def test_what_a_page_leads_to_is_checked_as_each_redirect(server: HostileServer, crawled: Crawled, path: str) -> None:
    assert crawled.kind(server.url(path, HOST)) == OTHERS[path][0]
    assert not server.asked(HOST, "/private")


def test_a_cookie_is_sent_back_once_in_its_chain_and_to_its_host_only(server: HostileServer, crawled: Crawled) -> None:
    sent = [(hit.host, hit.path) for hit in server.hits if "cookie" in hit.headers]
    assert sorted(sent) == [(HOST, path) for path in ("/wall", "/wall-far", "/wall-for-ever", "/wall-refresh")]
    assert len(server.asked(HOST, "/wall-for-ever")) == 2
    assert crawled.stats["redirect/cookie_wall"] == 1
