"""The explained page and the headers of a capture: read in worker processes, and isolated as a stranger's page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from json_schema import problems, stored_schema
from patience import PATIENCE
from starlette.testclient import TestClient
from web_client import client_of
from web_database import NOW, TOKEN

from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import Capture, Exchange, RawPage, Spot
from newscrawl.storage.captures import locations
from newscrawl.storage.store import open_store
from newscrawl.web.application import Pages
from newscrawl.web.captures import CaptureReader
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import WebSettings

pytestmark = pytest.mark.process

URL = "https://harbour.example/2026/bridge"
EVIL = "<script>alert(1)</script><img src=https://evil.example/x.png onerror=alert(2)>"
SENTENCE = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new bridge. "
BODY = f"<title>Bridge</title><main><h1>Bridge</h1>{EVIL}<p>{SENTENCE * 6}</p></main>".encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(tmp_path_factory.mktemp("captures"))


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    url = f"sqlite:///{folder}/news.db"
    headers = {"content-type": "text/html; charset=utf-8", "x-odd": "<b>bold</b>"}
    raw = RawPage(URL, URL, 200, headers, BODY, NOW, "harbour", None, Exchange({"accept": "text/html"}))
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        archive = ArchiveWriter(ArchiveSettings(folder / "archive"), store)
        kept = replace(raw, capture=archive.keep(raw).result(PATIENCE), exchange=None)
        store.save(fingerprint(make_article(kept, ArticleOptions()))).result(PATIENCE)
        archive.close()
    settings = WebSettings(url, token=TOKEN, archive_folder=folder / "archive", review_chains=("danag", "classic"))
    pages = Pages(settings, Logins(TOKEN, lambda: NOW), lambda: NOW)
    with client_of(pages) as opened:
        yield opened
    pages.captures.close()


def capture_of(client: TestClient) -> int:
    (line,) = client.get("/article.json", params={"url": URL}).json()["captures"]
    assert line["has_body"]
    number: int = line["id"]
    return number


def test_an_explained_page_is_a_strangers_page(client: TestClient) -> None:
    number = capture_of(client)
    around = client.get("/explain", params={"capture": number})
    assert f'<iframe title="The explained page" sandbox src="/explained?capture={number}">' in around.text
    answer = client.get("/explained", params={"capture": number})
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'; style-src 'sha256-")
    assert "frame-ancestors 'self'" in policy
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    assert "spoke for four hours" in answer.text
    for forbidden in ("<script", "<img", "evil.example/x.png onerror"):
        assert forbidden not in answer.text


def test_the_headers_of_a_capture_are_shown_as_text(client: TestClient) -> None:
    number = capture_of(client)
    found = client.get("/headers.json", params={"capture": number}).json()
    assert problems(found, stored_schema("headers")) == []
    assert (found["url"], found["status"]) == (URL, 200)
    assert ["x-odd", "<b>bold</b>"] in found["headers"]
    assert "&lt;b&gt;bold" in client.get("/headers", params={"capture": number}).text


def test_chains_are_compared(client: TestClient) -> None:
    number = capture_of(client)
    found = client.get("/compare.json", params={"capture": number}).json()
    assert problems(found, stored_schema("compare")) == []
    assert [one["chain"] for one in found["chains"]] == ["classic", "danag"]
    assert all("spoke for four hours" in one["beginning"] for one in found["chains"])
    assert "Chains compared" in client.get("/compare", params={"capture": number}).text


def test_each_field_has_the_places_that_state_it(client: TestClient) -> None:
    number = capture_of(client)
    found = client.get("/fields.json", params={"capture": number}).json()
    assert problems(found, stored_schema("fields")) == []
    assert {"name": "title", "value": "Bridge", "exact": ["title", "h1"], "within": []} in found["fields"]
    assert "<code>h1</code>" in client.get("/fields", params={"capture": number}).text
    assert f'href="/fields?capture={number}"' in client.get("/article", params={"url": URL}).text


def test_all_screens_about_a_page_have_the_same_tabs(client: TestClient) -> None:
    number = str(capture_of(client))
    names = ["Text", "History", "Why", "Explain", "Where it is stated", "Headers"]
    for path in ("/article", "/history", "/why", "/explain", "/fields", "/headers", "/compare"):
        chosen = {"url": URL} if path in {"/article", "/history", "/why"} else {"capture": number}
        shown = client.get(path, params=chosen).text
        tabs = shown.partition('<nav class="tabs"')[2].partition("</nav>")[0]
        assert re.findall(r"<a [^>]+>([^<]+)</a>", tabs) == names, path
        assert ('aria-current="page"' in tabs) == (path != "/compare")
        assert '<nav aria-label="Screens">' in shown


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("999", "no capture with the number 999 has a body"),
        ("one", "give a number"),
        ("1e3", "give a number"),
        ("", "capture is missing"),
    ],
)
def test_another_capture_is_said_to_be_missing(client: TestClient, number: str, said: str) -> None:
    for path in ("/explain", "/explained", "/fields", "/headers.json"):
        answer = client.get(path, params={"capture": number}, headers={"accept": "application/json"})
        assert answer.status_code in {400, 404}
        assert said in answer.json()["error"]


def test_a_file_that_is_gone_is_said_to_be_gone(client: TestClient, folder: Path) -> None:
    number = capture_of(client)
    (file,) = [path for path in folder.rglob("*.warc*") if path.is_file()]
    moved = file.rename(file.with_name(f"{file.name}.moved"))
    try:
        answer = client.get("/headers.json", params={"capture": number})
        framed = client.get("/explained", params={"capture": number})
    finally:
        moved.rename(file)
    assert answer.status_code == 404
    assert "the archive has no file" in answer.json()["error"]
    assert (framed.status_code, framed.headers["x-frame-options"]) == (404, "SAMEORIGIN")
    assert "frame-ancestors 'self'" in framed.headers["content-security-policy"]
    assert "the archive has no file" in framed.text


def test_a_capture_in_an_object_store_is_read_from_there(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    spot = Spot(1, 0, 100)
    raw = RawPage(URL, URL, 200, {}, None, NOW, "harbour", capture=Capture("response", spot, spot, "sha1:x"))
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        store.run(locations.add_file, "a.warc.gz", NOW, "s3://harbour/archive").result(PATIENCE)
        store.save(fingerprint(make_article(replace(raw, body=BODY), ArticleOptions()))).result(PATIENCE)
        with store.reading() as connection:
            archived = CaptureReader(None, ArticleOptions()).archived(connection, 1)
    assert (archived.place, archived.file, archived.offset) == ("s3://harbour/archive", "a.warc.gz", 0)
