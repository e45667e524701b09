"""The pages in Chromium: nothing of a publisher runs or is loaded, nothing overflows, and axe finds nothing serious.

The database has attacks in every field. Without Chromium, or without the extra `browser`, these tests are skipped.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hostile_texts import ADDRESSES, EVIL, HELD, LONG, SITE, TEXTS, fill
from patience import PATIENCE
from web_database import NOW, TOKEN

from newscrawl.onboarding.survey_report import SurveyedPage, SurveyedPattern, SurveyedSource, SurveyReport
from newscrawl.search import Filters, answer, query_of
from newscrawl.storage import open_store
from newscrawl.web.access.logins import Logins
from newscrawl.web.actions.surveys import Survey, Surveys
from newscrawl.web.application import Pages, make_application
from newscrawl.web.server import listen, server_of
from newscrawl.web.settings import Listening, WebSettings

CHROMIUM = shutil.which("chromium") or ""
playwright = pytest.importorskip("playwright.sync_api", reason="the extra browser is not installed")
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
    "forgotten": "/forgotten",
    **{f"add {number}": f"/add?survey={number}" for number in (1, 2)},
    "an error": "/site?name=<script>",
}
LOOKS = [(1400, "light"), (390, "dark")]


@dataclass(frozen=True)
class Site:
    """A running server, and a browser that has logged in to it."""

    base: str
    browser: Any
    state: Any
    contexts: dict[str, Any] = field(default_factory=dict)

    def page(self, **look: Any) -> Any:
        """A new page of a browser that looks at pages in this way."""
        key = repr(look)
        if key not in self.contexts:
            self.contexts[key] = self.browser.new_context(storage_state=self.state, **look)
        return self.contexts[key].new_page()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    url = f"sqlite:///{Path(tmp_path_factory.mktemp('browser'))}/news.db"
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        fill(store, NOW)
    answer(url, query_of("whale"), Filters(), 1)
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
    surveys._surveys |= {1: done, 2: failed}
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
    for width, scheme in LOOKS:
        page, said, asked = site.page(viewport=size(width), color_scheme=scheme), list[str](), list[str]()
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        answered = page.goto(f"{site.base}{SCREENS[name]}")
        page.wait_for_load_state("networkidle")
        assert [text for text in said if "the server responded with a status of 404" not in text] == []
        assert answered.status in {200, 404}
        assert [url for url in asked if not url.startswith(f"{site.base}/")] == []
        assert page.evaluate("window.attacked") is None
        hidden = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert hidden <= 0, f"{hidden} pixels too wide at {width}"
        page.close()


@pytest.mark.parametrize("name", SCREENS)
def test_a_page_is_whole_without_scripts(site: Site, name: str) -> None:
    texts = []
    for has_scripts in (True, False):
        page = site.page(java_script_enabled=has_scripts)
        page.goto(f"{site.base}{SCREENS[name]}")
        texts.append(page.locator("main").inner_text())
        page.close()
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_serious(site: Site, name: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    for width, scheme in LOOKS:
        # axe is put into the page as a script, which the policy of the pages forbids
        page = site.page(viewport=size(width), color_scheme=scheme, bypass_csp=True)
        page.goto(f"{site.base}{SCREENS[name]}")
        found = axe.Axe().run(page).response["violations"]
        serious = [
            (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
            for one in found
            if one["impact"] in {"serious", "critical"}
        ]
        assert serious == [], f"{width} {scheme}"
        page.close()


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
