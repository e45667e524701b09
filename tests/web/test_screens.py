"""Every screen as a page and as JSON: both show what is stored, and the JSON is as its schema says."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from json_schema import problems
from starlette.testclient import TestClient

from newscrawl.web.schemas import stored_schema
from newscrawl.web.screens.listed import SCREENS
from newscrawl.web.screens.screen import Screen

PARAMETERS: dict[str, list[dict[str, str]]] = {
    "site": [{"name": "harbour"}, {"name": "valley"}],
    "sites": [{}, {"state": "alarm"}, {"name": "HARB"}],
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


def of(client: TestClient, path: str, **parameters: str) -> Any:
    return client.get(path, params=parameters).json()


def test_the_first_screen_has_alarms_with_their_commands(client: TestClient) -> None:
    found = of(client, "/now.json")
    assert [(one["site"], one["severity"], one["command"]) for one in found["alarms"]] == [
        ("valley", "critical", "newscrawl review list --site valley"),
        (None, "warning", "newscrawl status --accept '*'"),
    ]
    assert found["work"] | {"due_pages": 0} == {
        "due_sources": 0,
        "due_pages": 0,
        "announced": 0,
        "running": 1,
        "resting": 1,
        "in_review": 1,
    }
    assert found["disk"]["free"] > 0
    assert [one["title"] for one in found["newest"]] == [
        "About the whale",
        "About the whale",
        "About the ferry of the new line",
    ]


def test_sites_are_listed_with_trouble_first(client: TestClient) -> None:
    found = of(client, "/sites.json")
    assert [(one["site"], one["state"]) for one in found["sites"]] == [("valley", "alarm"), ("harbour", "paused")]
    assert found["counts"] == {"alarm": 1, "failing": 0, "review": 0, "paused": 1, "new": 0, "good": 0}
    harbour = found["sites"][1]
    assert harbour["crawled_by"] == "ada/1/boot"
    assert len(harbour["days"]) == 28


def test_sites_are_continued_after_a_part(client: TestClient) -> None:
    assert [one["site"] for one in of(client, "/sites.json", after="alarm:valley")["sites"]] == ["harbour"]


def test_a_site_has_sources_hosts_and_what_robots_txt_says(client: TestClient) -> None:
    found = of(client, "/site.json", name="harbour")
    assert [source["url"] for source in found["sources"]] == ["https://harbour.example/feed.xml"]
    (host,) = found["hosts"]
    assert host["robots"]["text"] == "User-agent: *\nDisallow: /2026/11/gone\n"
    allowed = {one["url"].rpartition("/")[2]: one["is_allowed"] for one in found["addresses"]}
    assert allowed == {"gone": False, "ferry": True, "whale": True}


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
        ("/sites.json?stat=alarm", 400, "there is no parameter 'stat' here: the parameters are state, name, after"),
        ("/sites.json?name=a&name=b", 400, "the parameter name is given twice"),
        ("/sites.json?after=odd", 400, "give the `next` of the part before"),
        (f"/sites.json?name={'x' * 6000}", 400, "too long"),
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
