"""The pages in Chromium: nothing of a publisher runs or is loaded, nothing overflows, and axe finds nothing serious.

The database has attacks in every field. Each screen is loaded twice, with scripts and without. The tests check what was
seen of it. Without Chromium, or without the extra `browser`, these tests are skipped.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hostile_texts import ADDRESSES, EVIL, HELD, LONG, SITE, TEXTS, fill
from patience import PATIENCE
from web_database import NOW, TOKEN

from newscrawl.discovery.onboarding.survey_report import SurveyedPage, SurveyedPattern, SurveyedSource, SurveyReport
from newscrawl.publishing.search import Filters, query_of, run_query
from newscrawl.storage.store import open_store
from newscrawl.web.application import Pages, make_application
from newscrawl.web.background import Survey, Surveys
from newscrawl.web.server import listen, server_of
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import Listening, WebSettings

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or ""
"""The same browser without windows takes half the CPU."""
playwright = pytest.importorskip("playwright.sync_api", reason="the extra browser is not installed")
try:
    import axe_playwright_python.sync_playwright as axe
except ImportError:  # its test is skipped, and not the others
    axe = None
pytestmark = [pytest.mark.process, pytest.mark.skipif(not CHROMIUM, reason="no chromium here")]

SCREENS = {
    "now": "/",
    "sites": "/sites",
    "site": f"/site?{urlencode({'name': SITE})}",
    "articles": "/articles",
    "search": "/search?q=whale",
    **{f"article {place}": f"/article?{urlencode({'url': url})}" for place, url in enumerate(ADDRESSES)},
    "history": f"/history?{urlencode({'url': ADDRESSES[0]})}",
    "why": f"/why?{urlencode({'url': HELD})}",
    "review": "/review",
    "queue": "/queue",
    "consumers": "/consumers",
    "feeds": "/feeds",
    "forgotten": "/forgotten",
    **{f"add {number}": f"/add?survey={number}" for number in (1, 2)},
    "an error": "/site?name=<script>",
}
LOOKS = [(1400, "light"), (390, "dark")]


@dataclass(frozen=True)
class Look:
    """A screen in one width and color scheme: pixels that do not fit, and what axe finds (None without axe)."""

    hidden: int
    violations: list[Any] | None


@dataclass(frozen=True)
class Seen:
    """What a screen did in the browser."""

    status: int
    said: list[str]
    """Lines of the console, and errors of scripts."""
    asked: list[str]
    """Addresses of requests."""
    attacked: Any
    looks: dict[tuple[int, str], Look]
    text: str
    text_without_scripts: str


class Site:
    """A running server, and a browser that has logged in to it."""

    def __init__(self, base: str, browser: Any, state: Any) -> None:
        self.base = base
        self._contexts = {
            has_scripts: browser.new_context(
                storage_state=state, java_script_enabled=has_scripts, reduced_motion="reduce"
            )
            for has_scripts in (True, False)
        }
        self.seen = cache(self._see)

    def page(self, *, has_scripts: bool = True) -> Any:
        """A new page."""
        return self._contexts[has_scripts].new_page()

    def _see(self, path: str) -> Seen:
        said, asked = list[str](), list[str]()
        page = self.page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        width, scheme = LOOKS[0]
        page.set_viewport_size(size(width))
        page.emulate_media(color_scheme=scheme)
        answered = page.goto(f"{self.base}{path}")
        looks = {(width, scheme): looked_at(page)}
        for width, scheme in LOOKS[1:]:
            page.set_viewport_size(size(width))
            page.emulate_media(color_scheme=scheme)
            looks[width, scheme] = looked_at(page)
        page.wait_for_load_state("networkidle")
        text, attacked = page.locator("main").inner_text(), page.evaluate("window.attacked")
        page.close()
        plain = self.page(has_scripts=False)
        plain.set_viewport_size(size(LOOKS[-1][0]))
        plain.goto(f"{self.base}{path}")
        without = plain.locator("main").inner_text()
        plain.close()
        return Seen(answered.status, said, asked, attacked, looks, text, without)


def looked_at(page: Any) -> Look:
    hidden = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return Look(hidden, axe.Axe().run(page).response["violations"] if axe else None)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    url = f"sqlite:///{Path(tmp_path_factory.mktemp('browser'))}/news.db"
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        fill(store, NOW)
    run_query(url, query_of("whale"), Filters(), 1)
    logins = Logins(TOKEN, lambda: NOW)
    with listen(Listening("127.0.0.1", 0)) as bound:
        pages = Pages(WebSettings(url, token=TOKEN), logins, lambda: NOW)
        pages.surveys = hostile_surveys()
        server = server_of(make_application(pages.settings, logins, lambda: NOW, pages))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        base = f"http://127.0.0.1:{bound.getsockname()[1]}"
        with playwright.sync_playwright() as driver:
            browser = launched(driver)
            thread.start()
            first = browser.new_context()
            first.new_page().goto(f"{base}/login?key={logins.new_key()}")
            yield Site(base, browser, first.storage_state())
            browser.close()
        server.should_exit = True
        thread.join(PATIENCE)


def hostile_surveys() -> Surveys:
    """A survey that found an attack in every field, and one that failed with one."""
    surveys = Surveys("sqlite://", lambda: NOW)
    pages = tuple(SurveyedPage(f"{ADDRESSES[0]}{text[:500]}", text[:300], NOW, 9, text[:500], None) for text in TEXTS)
    refused = SurveyedPage(EVIL[:500], None, None, 0, "", EVIL[:300])
    report = SurveyReport(
        name="harbour",
        title=EVIL[:300],
        home=EVIL[:500],
        language=EVIL[:20],
        country=EVIL[:20],
        sources=tuple(SurveyedSource(text[:500], "feed", 1, NOW) for text in TEXTS),
        sections=tuple(text[:500] for text in TEXTS),
        patterns=tuple(SurveyedPattern(text[:500], text[:500]) for text in TEXTS),
        samples=(*pages, refused),
        notes=tuple(text[:300] for text in TEXTS),
        requests=9,
        file="spiders/harbour.py",
        text="\n".join(text[:5_000] for text in TEXTS),
    )
    done = Survey(1, ADDRESSES[0], None, EVIL, "done", NOW, NOW, NOW, 9, EVIL, None, report)
    failed = Survey(2, EVIL, None, EVIL, "failed", NOW, NOW, NOW, 9, EVIL, LONG)
    surveys._jobs |= {1: done, 2: failed}
    return surveys


def launched(driver: Any) -> Any:
    """Starts the browser, whose memory is not limited by a small /dev/shm of a container."""
    try:
        return driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
    except playwright.Error as error:
        pytest.skip(f"chromium does not start here: {str(error).splitlines()[0]}")


def size(width: int) -> dict[str, int]:
    """The viewport of a window."""
    return {"width": width, "height": 900}


@pytest.mark.parametrize("name", SCREENS)
def test_nothing_runs_is_loaded_or_overflows(site: Site, name: str) -> None:
    seen = site.seen(SCREENS[name])
    assert [text for text in seen.said if "the server responded with a status of 404" not in text] == []
    assert seen.status in {200, 404}
    assert f"{site.base}{SCREENS[name]}".partition("?")[0] in {url.partition("?")[0] for url in seen.asked}
    assert [url for url in seen.asked if not url.startswith(f"{site.base}/")] == []
    assert seen.attacked is None
    for (width, _), look in seen.looks.items():
        assert look.hidden <= 0, f"{look.hidden} pixels too wide at {width}"


@pytest.mark.parametrize("name", SCREENS)
def test_a_page_is_whole_without_scripts(site: Site, name: str) -> None:
    seen = site.seen(SCREENS[name])
    assert seen.text == seen.text_without_scripts


@pytest.mark.skipif(axe is None, reason="axe is not installed")
@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_serious(site: Site, name: str) -> None:
    for look, found in site.seen(SCREENS[name]).looks.items():
        assert found.violations is not None
        serious = [
            (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
            for one in found.violations
            if one["impact"] in {"serious", "critical"}
        ]
        assert serious == [], look


def test_parts_are_refreshed_in_place(site: Site) -> None:
    page = site.page()
    page.clock.install()
    page.goto(f"{site.base}/consumers")
    page.evaluate("document.querySelector('#rows td').textContent = 'changed by hand'")
    with page.expect_response(f"{site.base}/consumers"):
        page.clock.run_for(11_000)
    until = time.monotonic() + PATIENCE
    while "changed by hand" in page.locator("#rows").inner_text():  # the policy of the page forbids a wait inside it
        assert time.monotonic() < until
        time.sleep(0.05)
    page.close()


def test_a_page_that_has_lost_its_server_says_so(site: Site) -> None:
    page = site.page()
    page.clock.install()
    page.goto(f"{site.base}/consumers")
    page.route("**/consumers", lambda route: route.abort())
    for _ in range(2):
        assert page.query_selector("#no-connection") is None
        with page.expect_request("**/consumers"):
            page.clock.run_for(11_000)
    page.wait_for_selector("#no-connection")
    assert page.inner_text("#no-connection").startswith("No connection to newscrawl web. This page shows the state of ")
    page.unroute("**/consumers")
    with page.expect_response("**/consumers"):
        page.clock.run_for(11_000)
    page.wait_for_selector("#no-connection", state="detached")
