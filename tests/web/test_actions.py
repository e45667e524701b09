"""Actions of the pages with --actions: each one announces its effect, does it, and records who did it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from json_schema import problems, stored_schema
from starlette.testclient import TestClient
from web_client import client_of
from web_database import FERRY, HELD, NOW, TOKEN

from newscrawl.actions.pages import ACTIONS
from newscrawl.storage.store import open_store
from newscrawl.web.application import make_application
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import WebSettings


@pytest.fixture
def settings(own: str, tmp_path: Path) -> WebSettings:
    opened = partial(open_store, own, upgrade=False, max_wait=0.01)
    return WebSettings(own, token=TOKEN, actions=True, open_store=opened, machine="ada", project=tmp_path)


@pytest.fixture
def client(settings: WebSettings) -> Iterator[TestClient]:
    with client_of(settings, raise_server_exceptions=False) as entered:
        yield entered


def do(client: TestClient, name: str, **fields: str) -> list[str]:
    answer = client.post(f"/act/{name}", data=fields, headers={"accept": "application/json"})
    assert answer.status_code == 200, answer.text
    done: list[str] = answer.json()["done"]
    return done


def events(client: TestClient, site: str) -> list[tuple[str, str]]:
    found: list[dict[str, Any]] = client.get("/site.json", params={"name": site}).json()["events"]
    return [(one["kind"], one["reason"]) for one in found]


def test_a_site_is_resumed_and_paused(client: TestClient) -> None:
    assert do(client, "resume", site="harbour") == ["harbour is crawled again."]
    assert not client.get("/site.json", params={"name": "harbour"}).json()["is_paused"]
    assert do(client, "pause", site="harbour", hours="12") == ["harbour is paused until 2026-11-22 00:00 UTC."]
    assert client.get("/site.json", params={"name": "harbour"}).json()["is_paused"]
    assert events(client, "harbour") == [
        ("operator/paused", "token from testclient: newscrawl pause harbour --until 12h"),
        ("operator/resumed", "token from testclient: newscrawl resume harbour"),
    ]


def test_pages_are_released_from_review(client: TestClient) -> None:
    assert do(client, "release", site="valley") == ["Released 1 page."]
    assert client.get("/review.json").json()["pages"] == []
    assert client.get("/article.json", params={"url": HELD}).json()["text"]
    assert events(client, "valley")[0][0] == "operator/released"


def test_alarms_are_accepted(client: TestClient) -> None:
    assert do(client, "accept", site="valley") == ["Closed: 12 of 14 pages without a text"]
    assert do(client, "accept", site="*") == ["Closed: the fleet has few articles"]
    assert client.get("/now.json").json()["alarms"] == []
    assert events(client, "valley")[0] == (
        "operator/accepted",
        "token from testclient: newscrawl status --accept valley",
    )


def test_one_page_is_released(client: TestClient) -> None:
    assert do(client, "release", url=HELD) == ["Released 1 page."]


def test_what_concerns_no_single_site_stands_on_the_first_screen(client: TestClient) -> None:
    assert "What operators did" not in client.get("/").text
    do(client, "accept", site="*")
    do(client, "feed-address", language="de")
    do(client, "feed-address", site="valley")
    do(client, "revoke-address", id="1")
    found = client.get("/now.json").json()
    assert problems(found, stored_schema("now")) == []
    assert [(one["kind"], one["reason"].removeprefix("token from testclient: ")) for one in found["events"]] == [
        ("operator/feed_revoked", "newscrawl feed-address revoke 1"),
        ("operator/feed_made", "newscrawl feed-address new --language de"),
        ("operator/accepted", "newscrawl status --accept '*'"),
    ]
    page = client.get("/").text
    assert "What operators did with the fleet, feeds and new sites" in page
    assert "newscrawl feed-address new --language de" in page


def test_a_page_is_forgotten_and_blocked(client: TestClient) -> None:
    assert do(client, "forget", url=FERRY, block="yes", reason="<b>asked</b>")[0] == "Forgot 1 page and 2 articles."
    assert client.get("/article.json", params={"url": FERRY}).status_code == 404
    (blocked,) = client.get("/forgotten.json").json()["blocked"]
    assert blocked["kind"] == "url"
    (entry,) = client.get("/forgotten.json").json()["register"]
    assert (entry["site"], entry["who"], entry["reason"]) == ("harbour", "token from testclient", "<b>asked</b>")
    assert "&lt;b&gt;asked" in client.get("/forgotten").text
    ((_kind, reason),) = [one for one in events(client, "harbour") if one[0] == "operator/forgot"]
    assert "ferry" not in reason


CONFIRMED = [
    ("pause", {"site": "harbour"}, "newscrawl pause harbour"),
    ("pause", {"site": "harbour", "hours": "3"}, "newscrawl pause harbour --until 3h"),
    ("resume", {"site": "harbour"}, "newscrawl resume harbour"),
    ("accept", {"site": "*"}, "newscrawl status --accept &#39;*&#39;"),
    ("release", {"site": "valley"}, "newscrawl review release --site valley"),
    ("release", {"url": HELD}, f"newscrawl review release {HELD}"),
    ("forget", {"url": FERRY, "block": "yes"}, f"newscrawl forget {FERRY} --block"),
    ("forget", {"url": FERRY, "reason": "law"}, f"newscrawl forget {FERRY} --reason law"),
]


@pytest.mark.parametrize(("name", "choice", "command"), CONFIRMED)
def test_a_get_confirms_with_the_equal_command_and_changes_nothing(
    client: TestClient, settings: WebSettings, name: str, choice: dict[str, str], command: str
) -> None:
    file = settings.database_url.removeprefix("sqlite:///")

    def dumped() -> str:
        with closing(sqlite3.connect(file)) as connection:
            return "\n".join(connection.iterdump())

    before = dumped()
    page = client.get(f"/act/{name}", params=choice)
    assert page.status_code == 200
    assert f'<pre tabindex="0">{command}</pre>' in page.text
    assert f'<form method="post" action="/act/{name}"' in page.text
    assert dumped() == before


@pytest.mark.parametrize(
    ("name", "fields", "status", "said"),
    [
        ("pause", {"site": "nowhere"}, 404, "no site 'nowhere'"),
        ("pause", {}, 400, "the parameter site is missing"),
        ("pause", {"site": "harbour", "hours": "-1"}, 400, "give a number above 0"),
        ("pause", {"site": "harbour", "hours": "99999"}, 400, "give at most"),
        ("pause", {"site": "harbour", "webhook": "x"}, 400, "there is no parameter 'webhook'"),
        ("accept", {"site": "harbour"}, 404, "no alarm of harbour is open"),
        ("release", {}, 400, "give either site or url"),
        ("release", {"site": "harbour"}, 404, "nothing of harbour waits"),
        ("forget", {"url": "https://nowhere.example/x"}, 404, "nothing of"),
        ("forget", {"url": "ftp://nowhere.example/x"}, 400, "ftp"),
    ],
)
def test_what_cannot_be_done_is_said(
    client: TestClient, name: str, fields: dict[str, str], status: int, said: str
) -> None:
    answer = client.post(f"/act/{name}", data=fields, headers={"accept": "application/json"})
    assert (answer.status_code, said in answer.json()["error"]) == (status, True), answer.text


@pytest.mark.parametrize("path", ["/act/resume", "/login"])
def test_a_form_with_too_many_fields_is_refused(client: TestClient, path: str) -> None:
    fields = {f"field{number}": "1" for number in range(51)}
    answer = client.post(path, data=fields, headers={"accept": "application/json"})
    assert (answer.status_code, "too many fields" in answer.json()["error"]) == (400, True)


def test_a_body_that_is_no_form_is_named(client: TestClient) -> None:
    answer = client.post("/act/resume", json={"site": "harbour"}, headers={"accept": "application/json"})
    assert (answer.status_code, "send the fields as a form" in answer.json()["error"]) == (400, True)


def test_a_field_of_a_form_is_given_once(client: TestClient) -> None:
    form = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
    answer = client.post("/act/resume", content="site=harbour&site=valley", headers=form)
    assert (answer.status_code, "given twice" in answer.json()["error"]) == (400, True)


@pytest.mark.parametrize("action", [one.name for one in ACTIONS])
def test_without_actions_nothing_is_offered(settings: WebSettings, action: str) -> None:
    client = client_of(replace(settings, actions=False))
    for answer in (client.get(f"/act/{action}?site=harbour"), client.post(f"/act/{action}", data={"site": "harbour"})):
        assert answer.status_code == 403
        assert "--actions" in answer.text
    for path in ("/", "/site?name=harbour", "/review?site=valley", f"/article?url={FERRY}", "/forgotten"):
        assert "/act/" not in client.get(path).text


def test_the_whole_fleet_is_not_paused(client: TestClient) -> None:
    assert client.get("/act/pause", params={"site": "*"}).status_code == 404


def test_commands_are_quoted(client: TestClient) -> None:
    page = client.get(
        "/act/forget", params={"url": "https://harbour.example/2026/11/ferry?a='b'&c=$(id)", "block": "yes"}
    )
    assert "$(id)" in page.text
    assert "newscrawl forget &#39;https://harbour.example" in page.text


@pytest.fixture
def browser(settings: WebSettings) -> TestClient:
    """A browser that has logged in. It follows no redirect by itself."""
    logins = Logins(TOKEN, lambda: NOW)
    client = TestClient(
        make_application(settings, logins, lambda: NOW),
        base_url="http://localhost",
        headers={"sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate"},
        follow_redirects=False,
    )
    client.get(f"/login?key={logins.new_key()}")
    return client


def test_loading_the_page_after_an_action_again_does_not_repeat_it(browser: TestClient) -> None:
    done = browser.post("/act/feed-address", data={"site": "harbour"})
    assert (done.status_code, done.headers["location"]) == (303, "/feeds")
    fetched = browser.get("/feeds", headers={"sec-fetch-mode": "cors"})  # the script of another window
    assert "Copy it now" not in fetched.text
    shown = browser.get("/feeds").text
    secret = re.search(r'<input readonly aria-label="Address" value="(http://127.0.0.1:8787/feed/[^"]+)\.atom">', shown)
    assert secret is not None
    again = browser.get("/feeds").text
    assert "Copy it now" not in again
    assert secret[1] not in again
    assert len(browser.get("/feeds.json").json()["addresses"]) == 1


@pytest.mark.parametrize(
    ("action", "fields", "cancel", "after"),
    [
        ("release", {"url": HELD}, "/review", "/review"),
        ("forget", {"url": FERRY}, "/article?url=", "/forgotten"),
        ("pause", {"site": "valley"}, "/site?name=valley", "/site?name=valley"),
    ],
)
def test_an_action_leads_back_to_where_its_result_is(
    browser: TestClient, action: str, fields: dict[str, str], cancel: str, after: str
) -> None:
    confirm = browser.get(f"/act/{action}", params=fields).text
    assert re.search(f'<a href="{re.escape(cancel)}[^"]*">Do nothing</a>', confirm)
    done = browser.post(f"/act/{action}", data=fields)
    assert (done.status_code, done.headers["location"]) == (303, after)
    assert 'class="card notice" role="status"' in browser.get(after).text


def test_an_action_that_changes_nothing_is_not_recorded(client: TestClient) -> None:
    assert do(client, "resume", site="valley") == ["valley was not paused."]
    assert events(client, "valley") == []


def test_the_equal_command_names_a_database_that_was_named_without_its_project(settings: WebSettings) -> None:
    named = replace(settings, project=None)
    client = client_of(named)
    shown = client.get("/act/pause", params={"site": "valley"}).text
    assert f"newscrawl pause valley --database {settings.database_url}</pre>" in shown
    shown = client.get("/act/forget", params={"url": FERRY}).text
    assert "in the folder of the project that crawls into this database" in shown
    assert f"newscrawl forget {FERRY}</pre>" in shown
