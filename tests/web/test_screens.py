"""Every screen as a page and as JSON: both show what is stored, and the JSON is as its schema says.

tests/golden/test_recorded_run.py has the JSON of a larger database.
"""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from json_schema import problems, stored_schema
from patience import PATIENCE
from source_items import record_failure
from starlette.testclient import TestClient
from stored_rows import put_host
from web_client import client_of
from web_database import COPY, FEED, FERRY, GONE, HELD, NOW, TOKEN, WHALE, made

from newscrawl.model import Doubt, Failure, ProcessedPage
from newscrawl.publishing.search import Filters, query_of, run_query
from newscrawl.reports import shown_articles
from newscrawl.reports.shown_articles import Wanted
from newscrawl.storage.monitoring.alarms import EXTRACTION, Alarm
from newscrawl.storage.reader import Connection, open_reader
from newscrawl.storage.removal import blocklist
from newscrawl.storage.store import open_store
from newscrawl.web.application import Pages
from newscrawl.web.screen_list import SCREENS
from newscrawl.web.screens.articles import _parts
from newscrawl.web.screens.now import open_alarm
from newscrawl.web.screens.screen import Screen
from newscrawl.web.screens.sites import SITES_LIFE
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import WebSettings

PARAMETERS: dict[str, list[dict[str, str]]] = {
    "site": [{"name": "harbour"}, {"name": "valley"}],
    "articles": [{}, {"site": "harbour", "day": "2026-11-21"}, {"language": "de", "verdict": "live"}],
    "search": [{}, {"q": "whale -ferry", "site": "valley", "since": "2026-01-01"}],
    "article": [{"url": FERRY}, {"id": "2"}, {"url": GONE}, {"url": COPY}],
    "history": [{"url": FERRY}, {"url": FERRY, "older": "2", "newer": "1"}, {"url": WHALE}],
    "why": [{"url": FERRY}, {"url": GONE}, {"url": HELD}, {"url": FEED}],
    "review": [{}, {"site": "valley"}, {"after": "0.5-1"}, {"after": "-1"}],
    "sites": [{}, {"state": "alarm"}, {"name": "HARB"}, {"language": "en", "country": "uk"}],
}
CASES = [
    pytest.param(screen, parameters, id=" ".join([screen.name, *parameters.values()]).replace("https://", ""))
    for screen in SCREENS
    for parameters in PARAMETERS.get(screen.name, [{}])
]


@pytest.mark.parametrize(("screen", "parameters"), CASES)
def test_a_screen_is_a_page_and_json_of_its_schema(
    client: TestClient, screen: Screen, parameters: dict[str, str]
) -> None:
    page = client.get(screen.path, params=parameters)
    assert page.status_code == 200, page.text
    assert page.text.startswith("<!doctype html>")
    assert "<h1>" in page.text or "<h1 " in page.text
    answer = client.get(screen.json_path, params=parameters)
    assert answer.status_code == 200
    assert problems(answer.json(), stored_schema(screen.name)) == []


@pytest.mark.parametrize(("screen", "parameters"), CASES)
def test_each_cell_of_a_table_names_its_column_for_narrow_windows(
    client: TestClient, screen: Screen, parameters: dict[str, str]
) -> None:
    for table in re.findall(r"<table.*?</table>", client.get(screen.path, params=parameters).text, re.DOTALL):
        columns = {
            re.sub("<.*?>", "", text).lower() for text in re.findall(r"<th scope=\"col.*?</th>", table, re.DOTALL)
        }
        for cell in re.findall(r"<td\b[^>]*>", table.partition("<tbody>")[2]):
            named = re.search(r'data-label="([^"]+)"', cell)
            assert named or "colspan" in cell or 'class="sites"' in table, cell
            assert (
                named is None or 'class="sites"' in table or any(named[1] in column for column in columns | {"number"})
            )


def of(client: TestClient, path: str, **parameters: str) -> Any:
    return client.get(path, params=parameters).json()


@pytest.mark.parametrize("path", ["/sites", "/site?name=harbour"])
def test_the_colours_of_the_bars_have_names(client: TestClient, path: str) -> None:
    shown = client.get(path).text
    assert '<span class="colour stored"></span> articles stored' in shown
    assert '<span class="colour found"></span> further addresses found' in shown


def test_parts_of_articles_have_each_article_once(client: TestClient, address: str) -> None:
    found: list[int] = []
    place = None
    with open_reader(address) as connection:
        while True:
            part = shown_articles.part(connection, Wanted(), 1, place)
            found += [one.page_id for one in part.articles]
            place = part.following
            if place is None:
                break
    assert len(found) == len(set(found)) == 3


@pytest.mark.parametrize("steps", [(1, 2), (1, 1), (2, 1), (3, 5)])
def test_what_is_rare_is_found_over_several_looks(
    client: TestClient, address: str, monkeypatch: pytest.MonkeyPatch, steps: tuple[int, int]
) -> None:
    monkeypatch.setattr(shown_articles, "LOOKED_AT", steps)
    found: list[str] = []
    place = None
    with open_reader(address) as connection:
        for _ in range(4):
            part = shown_articles.part(connection, Wanted(site="harbour"), 2, place)
            found += [str(one.title).removeprefix("About the ") for one in part.articles]
            place = part.following
            if place is None:
                break
    assert place is None
    assert found == ["whale", "ferry of the new line"]


def test_history_compares_any_two_versions(client: TestClient) -> None:
    def differing(kind: str, **query: str) -> list[str]:
        lines = of(client, "/history.json", url=FERRY, **query)["difference"]
        return [part["text"] for line in lines for part in line if part["kind"] == kind]

    added = differing("added")
    assert "of the new line" in " ".join(added)
    assert differing("removed", older="2", newer="1") == added
    assert f"<ins>{added[0]}</ins>" in unescape(client.get("/history", params={"url": FERRY}).text)


def test_search_writes_no_index_and_finds_what_is_indexed(own: str, tmp_path: Path) -> None:
    client = client_of(own)
    assert of(client, "/search.json", q="whale") == {
        "hits": [],
        "has_index": False,
        "behind": 0,
        "old": 0,
        "more": False,
    }
    assert not (tmp_path / "news.db-search").exists()
    run_query(own, query_of("whale"), Filters(), 1)
    found = of(client, "/search.json", q="whale")
    assert [(hit["title"], hit["snippet"]["text"][:9]) for hit in found["hits"]] == [("About the whale", "The whale")]
    assert "<mark>whale</mark>" in client.get("/search", params={"q": "whale"}).text
    typed = 'title:whales OR "no such words" lang:en'
    assert [hit["title"] for hit in of(client, "/search.json", q=typed)["hits"]] == ["About the whale"]
    refused = client.get("/search", params={"q": "whale OR"})
    assert (refused.status_code, "OR stands at the end" in refused.text) == (400, True)
    with open_store(own, upgrade=False, max_wait=0.01) as store:
        store.save(made("https://harbour.example/late", "late whale")).result(PATIENCE)
    assert of(client, "/search.json", q="whale")["behind"] > 0


def test_no_link_leads_to_an_error(client: TestClient) -> None:
    waiting, seen = ["/"], {"/"}
    while waiting:
        address = waiting.pop()
        answer = client.get(address)
        assert answer.status_code == 200, f"{address}: {answer.status_code} {answer.text[-500:]}"
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        links = {unescape(link) for link in re.findall(r'href="(/[^"#]*)', answer.text)}
        waiting += links - seen
        seen |= links
    assert {screen.path for screen in SCREENS if screen.in_navigation and not screen.needs_actions} <= {
        urlsplit(address).path for address in seen
    }


def test_what_is_blocked_is_listed_in_parts(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    keys = [*(f"url:example.org/{number:04}" for number in range(201)), "site:valley"]
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        store.run(blocklist.add, keys, NOW).result(PATIENCE)
    client = client_of(url)
    first = of(client, "/forgotten.json")
    rest = of(client, "/forgotten.json", after=first["next"])
    names = [f"{one['kind']}:{one['name']}" for one in (*first["blocked"], *rest["blocked"])]
    assert names == sorted(keys)
    assert rest["next"] is None


def test_a_list_that_is_cut_says_how_much_is_not_shown(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"

    def fail(connection: Connection) -> None:
        for number in range(203):
            feed = f"https://host{number % 12}.number{number % 12}.example/{number}.xml"
            record_failure(connection, "harbour", feed, "feed", "http/503", 503, NOW)
        for number in range(12):
            put_host(connection, f"https://host{number}.number{number}.example", NOW)
            put_host(connection, f"domain:number{number}.example", NOW)

    with open_store(url, upgrade=True, max_wait=0.01) as store:
        store.run(fail).result(PATIENCE)
        for number in range(62):
            held = made(f"https://s{number}.example/1", f"bridge {number}", f"site{number:02}")
            doubt = Doubt(("text collapsed",), held.article or Failure("x/y", "z"), needs_review=True)
            store.save(ProcessedPage(held.raw, held.article, doubt=doubt)).result(PATIENCE)
    client = client_of(url)
    found = of(client, "/site.json", name="harbour")
    assert problems(found, stored_schema("site")) == []
    assert (len(found["sources"]), found["more_sources"]) == (200, 3)
    assert (len(found["hosts"]), found["more_hosts"]) == (20, 4)
    page = client.get("/site", params={"name": "harbour"}).text
    assert 'Sources <span class="count">203</span>' in page
    assert "3 more are not shown: sources that fail" in page
    assert "4 more of the sources and addresses above are not shown" in page
    review = client.get("/review").text
    assert '<a href="/sites?state=review">2 more sites</a>' in review
    assert review.count('<a href="/review?site=') == 60
    assert len(of(client, "/sites.json", state="review")["sites"]) > 0


def test_consumers_are_shown_without_their_secrets(client: TestClient) -> None:
    assert "verysecretvalue" not in client.get("/consumers").text
    (one,) = of(client, "/consumers.json")["consumers"]
    assert one["behind"] > 0
    assert "verysecretvalue" not in json.dumps(one)


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/site.json", 400, "the parameter name is missing"),
        ("/site.json?name=nowhere", 404, "no site 'nowhere' is in the database"),
        ("/sites.json?state=odd", 400, "state='odd': give one of alarm"),
        (
            "/sites.json?stat=alarm",
            400,
            "there is no parameter 'stat' here: the parameters are state, language, country",
        ),
        ("/sites.json?name=a&name=b", 400, "the parameter name is given twice"),
        ("/sites.json?after=odd", 400, "give the `next` of the part before"),
        (f"/sites.json?name={'x' * 6000}", 400, "too long"),
        ("/article.json", 400, "give either url or id"),
        ("/article.json?id=0", 400, "give a number above 0"),
        ("/article.json?id=999999", 404, "no page shows an article with the id 999999"),
        ("/article.json?url=javascript:alert(1)", 400, "javascript"),
        ("/article.json?url=https://harbour.example/unknown", 404, "no page is stored"),
        ("/articles.json?day=yesterday", 400, "give a day like"),
        ("/articles.json?after=1", 400, "give the `next` of the part before"),
        ("/articles.json?after=20261121T112000.000000-9999999999999999999", 400, "give the `next` of the part before"),
        ("/site.json?name=har%00bour", 400, "the parameter name has the character NUL"),
        ("/why.json?url=%00", 400, "the parameter url has the character NUL"),
        ("/review.json?site=nowhere", 400, "no site 'nowhere' is in the database"),
        ("/search.json?q=-whale", 400, "nothing to search for"),
        ("/history.json?url=https://harbour.example/2026/11/ferry&older=9", 400, "the versions 1 to 2"),
        ("/why.json?url=https://nowhere.example/", 404, "nothing is known"),
        ("/nowhere.json", 404, "there is no page at this address"),
    ],
)
def test_bad_input_is_answered_with_what_is_wrong(client: TestClient, path: str, status: int, said: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()["status"]) == (status, status)
    assert said in answer.json()["error"]
    page = client.get(path.replace(".json", ""))
    assert page.status_code == status
    assert "Traceback" not in page.text


@pytest.mark.parametrize(
    "query", ["day=9999-12-31", "day=0001-01-01", "after=99991231T235959.999999-999999999999999999"]
)
def test_the_first_and_the_last_day_of_the_calendar_can_be_asked_for(client: TestClient, query: str) -> None:
    assert client.get(f"/articles.json?{query}").status_code == 200


def test_the_command_of_an_alarm_is_quoted() -> None:
    alarm = Alarm("the 'daily' $(id)", EXTRACTION, "warning", NOW, NOW, "fewer words", {})
    assert shlex.split(open_alarm(alarm).command) == ["newscrawl", "review", "list", "--site", "the 'daily' $(id)"]


def test_an_answer_that_is_known_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/sites.json")
    again = client.get("/sites.json", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/consumers.json", headers={"if-none-match": first.headers["etag"]}).status_code == 200


def dumped(address: str) -> str:
    """Everything in the database."""
    with closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection:
        return "\n".join(connection.iterdump())


def test_nothing_that_a_get_does_changes_the_database(client: TestClient, address: str) -> None:
    before = dumped(address)
    for case in CASES:
        screen, parameters = case.values
        assert client.get(screen.path, params=parameters).status_code == 200
    assert dumped(address) == before


def test_a_server_that_starts_makes_what_the_first_views_need(settings: WebSettings) -> None:
    pages = Pages(settings, Logins(TOKEN, lambda: NOW), lambda: NOW)
    pages.warm_up()
    facts = pages.recent.known("sites", NOW, SITES_LIFE)
    assert [one.site for one in facts] == ["harbour", "valley"]
    assert pages.recent.known(("days", "harbour", NOW.date()), NOW, SITES_LIFE) is not None


def test_a_server_without_a_database_yet_starts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "news.db"
    file.touch()
    Pages(WebSettings(f"sqlite:///{file}", token=TOKEN), Logins(TOKEN, lambda: NOW), lambda: NOW).warm_up()
    assert "cannot read the state of the sites" in caplog.text


def test_marks_of_a_difference_that_are_never_closed_are_text() -> None:
    line = "~ the [-old-] {+new+} ferry [- and {+ more+} [- of it"
    assert [(part.kind, part.text) for part in _parts(line)] == [
        ("same", "the "),
        ("removed", "old"),
        ("same", " "),
        ("added", "new"),
        ("same", " ferry [- and "),
        ("added", " more"),
        ("same", " [- of it"),
    ]


def test_the_command_that_saves_a_search_has_its_site_and_language(own: str) -> None:
    run_query(own, query_of("whale"), Filters(), 1)
    client = client_of(own)
    page = unescape(client.get("/search?q=whale&site=harbour&language=en&since=2026-01-01").text)
    assert """newscrawl search --save NAME 'whale site:"harbour" lang:en'</code>""" in page


def test_a_search_that_cannot_be_meant_is_shown_beside_the_query(client: TestClient) -> None:
    answer = client.get("/search", params={"q": '"ferry', "language": "en"})
    assert answer.status_code == 400
    assert 'value="&#34;ferry"' in answer.text
    assert 'role="alert"' in answer.text
    assert client.get("/search.json", params={"q": '"ferry'}).json()["status"] == 400


@pytest.mark.parametrize("path", ["/search", "/articles"])
def test_a_site_that_is_not_known_is_an_error(client: TestClient, path: str) -> None:
    answer = client.get(f"{path}.json", params={"site": "nowhere"})
    assert (answer.status_code, answer.json()["error"]) == (400, "no site 'nowhere' is in the database")
