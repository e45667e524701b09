"""No text of a publisher becomes a part of a page: every screen over a database that has attacks in every field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import lxml.html
import pytest
from hostile_texts import ADDRESSES, HELD, ROOT, SITE, fill
from starlette.testclient import TestClient
from web_client import client_of
from web_database import NOW, TOKEN

from newscrawl.publishing.search import Filters, query_of, run_query
from newscrawl.storage.store import open_store
from newscrawl.web.screen_list import SCREENS
from newscrawl.web.settings import WebSettings

PARAMETERS: dict[str, list[dict[str, str]]] = {
    "site": [{"name": SITE}],
    "search": [{"q": "whale"}, {"q": '"><script>whale"'}],
    "article": [{"url": url} for url in ADDRESSES],
    "history": [{"url": url} for url in ADDRESSES],
    "why": [*({"url": url} for url in ADDRESSES), {"url": HELD}, {"url": f"{ROOT}/gone"}],
    "review": [{"site": SITE}],
}
PATHS = [(screen.path, one) for screen in SCREENS for one in PARAMETERS.get(screen.name, [{}])]
PATHS += [("/act/forget", {"url": ADDRESSES[0]}), ("/act/pause", {"site": SITE}), ("/nowhere<script>", {})]
PATHS += [("/act/revoke-address", {"id": "1"})]
PATHS += [("/site", {"name": "<script>alert(1)</script>"}), ("/sites", {"<img src=x>": "1"})]
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe]")
OWN = {
    "html",
    "head",
    "meta",
    "title",
    "link",
    "script",
    "body",
    "a",
    "header",
    "nav",
    "form",
    "button",
    "main",
    "footer",
}
OWN |= {"p", "span", "h1", "h2", "h3", "section", "ul", "ol", "li", "strong", "code", "dl", "div", "dt", "dd", "table"}
OWN |= {"thead", "tbody", "tr", "th", "td", "time", "bdi", "svg", "path", "rect", "label", "input", "select", "option"}
OWN |= {"article", "details", "summary", "pre", "ins", "del", "mark", "blockquote", "h6", "br"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    url = f"sqlite:///{Path(tmp_path_factory.mktemp('hostile'))}/news.db"
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        fill(store, NOW)
    run_query(url, query_of("whale"), Filters(), 1)
    opened = partial(open_store, url, upgrade=False, max_wait=0.01)
    settings = WebSettings(url, token=TOKEN, actions=True, open_store=opened)
    with client_of(settings) as entered:
        yield entered


@pytest.mark.parametrize(
    ("path", "parameters"), PATHS, ids=[f"{path}-{place}" for place, (path, _) in enumerate(PATHS)]
)
def test_a_page_has_only_elements_of_its_own(client: TestClient, path: str, parameters: dict[str, str]) -> None:
    page = client.get(path, params=parameters)
    assert page.status_code in {200, 400, 404}
    assert len(page.content) < 2_000_000
    assert not FORBIDDEN.search(page.text)
    assert "49" not in re.findall(r"\{*7\*7\}*|(?<=>)49(?=<)", page.text)
    document = lxml.html.document_fromstring(page.text)
    for element in document.iter():
        if not isinstance(element.tag, str):
            continue
        assert element.tag in OWN, lxml.html.tostring(element)[:200]
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name != "style"
            if name in {"href", "src", "action"}:
                assert urlsplit(value).scheme in {"", "http", "https"}
        if element.tag == "script":
            assert element.get("src") == "/static/refresh.js"
        if element.tag in {"base", "iframe", "img"}:
            pytest.fail(f"a <{element.tag}> in {path}")
        if element.tag == "a" and urlsplit(element.get("href", "")).netloc:
            assert element.get("rel") in {"noopener noreferrer nofollow", "nofollow noreferrer"}


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/sites", f"/site?name={SITE}", "/articles", "/search?q=whale", "/review", "/consumers", "/forgotten"),
        *(f"{name}?url={ADDRESSES[0]}" for name in ("/article", "/history", "/why")),
    ],
)
def test_the_attacks_are_on_the_pages(client: TestClient, path: str) -> None:
    assert "&lt;script&gt;" in client.get(path).text


@pytest.mark.parametrize("name", [screen.name for screen in SCREENS])
def test_json_holds_texts_as_they_are_stored(client: TestClient, name: str) -> None:
    for parameters in PARAMETERS.get(name, [{}]):
        answered = client.get(f"/{name}.json", params=parameters)
        assert answered.status_code == 200
        assert answered.headers["content-type"] == "application/json"
        answered.json()
