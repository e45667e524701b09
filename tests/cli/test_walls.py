"""Answers of bot walls: `why` names the wall, with a text for the site's owner, and `status` counts them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from newscrawl.testing.news_server import NewsServer

Run = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.process

WALL = (
    "<html><title>Just a moment...</title><body><p>Checking your browser before accessing the site.</p></body></html>"
)
ANSWERS: dict[str, tuple[int, dict[str, str], str]] = {
    "/news/a-bridge-is-closed-at-last": (
        403,
        {"CF-Mitigated": "challenge", "Server": "cloudflare"},
        "cf-mitigated: challenge",
    ),
    "/news/a-ferry-runs-again-today": (403, {"X-DataDome": "protected", "Server": "nginx"}, "x-datadome: protected"),
    "/news/a-school-gets-its-roof-back": (200, {"X-Iinfo": "9-1-0 NNNN RT(1 2) q(0)"}, "x-iinfo: 9-1-0 NNNN RT1 2 q0"),
    "/news/a-market-moves-to-the-square": (404, {"Server": "AkamaiGHost"}, ""),
    "/news/a-mill-burns-down-at-night": (403, {"Server": "nginx"}, ""),
}
NAMES = ("Cloudflare", "DataDome", "Imperva (Incapsula)", "", "")


@pytest.fixture
def site() -> Iterator[NewsServer]:
    with NewsServer() as server:
        links = "".join(
            f"<item><title>A story of the day</title><link>{server.url}{path}</link></item>" for path in ANSWERS
        )
        server.pages["/feed"] = (
            200, {"Content-Type": "application/rss+xml"}, f"<rss><channel>{links}</channel></rss>".encode(),
        )  # fmt: skip
        server.pages["/"] = '<link rel="alternate" type="application/rss+xml" href="/feed">'
        for path, (status, headers, _) in ANSWERS.items():
            server.pages[path] = (status, {"Content-Type": "text/html", **headers}, WALL.encode())
        yield server


def test_the_wall_is_named_counted_and_its_owner_can_be_asked(run: Run, site: NewsServer, tmp_path: Path) -> None:
    environment = {
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "NEWSCRAWL_ALLOWED_PORTS": str(site.port),
        "NEWSCRAWL_CONTACT": "desk@acme.example",
        "NEWSCRAWL_DELAY": "0.05",
    }
    done = run("scrapy", "crawl", "generic", "-a", f"url={site.url}/", **environment)
    assert done.returncode == 0, done.stderr
    for (path, (status, _, sign)), name in zip(ANSWERS.items(), NAMES, strict=True):
        why = run("newscrawl", "why", f"{site.url}{path}", **environment).stdout
        if not name:
            assert "bot wall answered" not in why
            continue
        assert f"a bot wall answered: {name} ({sign})" in why
        letter = why.partition("to ask the owner of the site for access, send:\n")[2]
        assert f"{name} in front of your site refuses it" in letter
        assert f"UTC {status} ({sign})" in letter
        assert "newscrawl/" in letter
        assert "(+desk@acme.example)" in letter
        assert "robots.txt: the crawler obeys it, as newscrawl" in letter
        assert "Contact:    desk@acme.example" in letter
    (state,) = json.loads(run("newscrawl", "status", "--json", **environment).stdout)
    counters = {name: n for name, n in state["last_run"]["counters"].items() if name.startswith("wall/")}
    assert counters == {"wall/cloudflare": 1, "wall/datadome": 1, "wall/imperva": 1}
    told = run("newscrawl", "status", **environment).stdout
    assert "bot walls answered the last crawl: Cloudflare 1 time, DataDome 1 time, Imperva (Incapsula) 1 time" in told
