"""A crawl without the address guard does not start."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import warm
from hostile_server import HostileServer
from patience import PATIENCE

RESOLVER = "TWISTED_DNS_RESOLVER=scrapy.resolver.CachingThreadedResolver"

RUNNER = """
import sys
from scrapy import Request, Spider
from scrapy.utils.log import configure_logging
from scrapy.utils.reactor import install_reactor
from newscrawl.crawling.runtime.process import safe_settings
install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor", safe_settings()["ASYNCIO_EVENT_LOOP"])
from scrapy.crawler import AsyncCrawlerRunner
from twisted.internet import reactor

class Loose(Spider):
    name = "loose"
    async def start(self):
        yield Request(sys.argv[1], errback=print)

configure_logging(safe_settings())
runner = AsyncCrawlerRunner(safe_settings())
task = runner.crawl(Loose)
task.add_done_callback(lambda _: reactor.stop())
reactor.run()
"""

PROCESS = """
import sys
from scrapy import Request, Spider
from newscrawl.crawling.runtime.process import make_process, run_spider, safe_settings
from newscrawl.errors import NewscrawlError

class Loose(Spider):
    name = "loose"
    async def start(self):
        yield Request(sys.argv[1])

name, value = sys.argv[2].split("=")
try:
    settings = safe_settings()
    run_spider(make_process({name: value}, settings=settings), Loose)
except NewscrawlError as error:
    sys.exit(f"{error.exit_code} {error}")
"""

LOOP = """
import asyncio
from newscrawl.crawling.runtime.process import make_process
make_process()
print(type(asyncio.get_event_loop()).__module__)
"""

FETCH = """
import sys
from newscrawl.crawling.runtime.process import fetch_one
from newscrawl.errors import NewscrawlError
try:
    page = fetch_one(sys.argv[1], {"NEWSCRAWL_ALLOWED_ADDRESSES": sys.argv[2], "DOWNLOAD_DELAY": 0, "RETRY_TIMES": 0})
    print(page.status, page.url, page.final_url, len(page.body), page.headers["content-type"])
except NewscrawlError as error:
    sys.exit(f"{error.exit_code} {error}")
"""


def python(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return warm.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_a_runner_without_the_guard_makes_no_request(hostile: HostileServer) -> None:
    """Scrapy's runner classes do not install the resolver that the settings name."""
    done = python(RUNNER, hostile.url("/unguarded"))
    assert "no address guard" in done.stderr
    assert "no_address_guard" in done.stderr
    assert hostile.asked(path="/unguarded") == []


def test_another_resolver_is_refused_in_one_line(hostile: HostileServer) -> None:
    done = python(PROCESS, hostile.url("/resolver"), RESOLVER)
    assert done.stderr.splitlines()[-1].startswith("2 setting TWISTED_DNS_RESOLVER:")
    assert "Traceback" not in done.stderr
    assert hostile.asked(path="/resolver") == []


def test_scrapy_crawl_with_another_resolver_is_refused_in_one_line(tmp_path: Path) -> None:
    """The command that operators type, with a setting that takes the guard away."""
    done = warm.run(
        [sys.executable, "-m", "scrapy", "crawl", "demo", "-s", RESOLVER, "-s", "LOG_LEVEL=ERROR"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        env=os.environ | {"NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/demo.db"},
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("newscrawl: setting TWISTED_DNS_RESOLVER:")
    assert len(done.stderr.splitlines()) == 1


def test_a_crawl_runs_on_uvloop_where_it_is_installed() -> None:
    done = python(LOOP)
    assert done.stdout.strip() == ("uvloop" if find_spec("uvloop") else "asyncio.unix_events"), done.stderr


def test_a_crawl_without_a_reactor_is_refused_in_one_line(hostile: HostileServer) -> None:
    done = python(PROCESS, hostile.url("/reactorless"), "TWISTED_REACTOR_ENABLED=False")
    assert "2 setting TWISTED_REACTOR_ENABLED:" in done.stderr.splitlines()[-1]
    assert hostile.asked(path="/reactorless") == []


def test_addresses_that_are_none_are_refused_in_one_line(hostile: HostileServer) -> None:
    done = python(PROCESS, hostile.url("/"), "NEWSCRAWL_ALLOWED_ADDRESSES=home")
    assert done.stderr.startswith("2 setting NEWSCRAWL_ALLOWED_ADDRESSES:")


def test_one_address_is_fetched_as_a_crawl_would(hostile: HostileServer) -> None:
    done = python(FETCH, hostile.url("/chain?left=1"), "127.0.0.1")
    asked, final = hostile.url("/chain?left=1"), hostile.url("/chain?left=0")
    assert done.stdout == f"200 {asked} {final} 61 text/html; charset=utf-8\n", done.stderr


def test_why_one_address_cannot_be_fetched_is_said_in_one_line(hostile: HostileServer) -> None:
    def error(url: str, allowed: str = "127.0.0.1") -> str:
        done = python(FETCH, url, allowed)
        assert len(done.stderr.splitlines()) == 1, done.stderr
        return done.stderr.strip()

    missing = hostile.url("/status?code=404")
    assert error(missing) == f"1 cannot fetch {missing}: the server answered 404"
    assert "not a public address" in error(hostile.url("/"), "10.0.0.0/8")
    assert "write it with http:// or https://" in error("no-address")
