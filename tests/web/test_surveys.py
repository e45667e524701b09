"""New sites that are surveyed in the background: turns, time limit, and what the pages show of them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from json_schema import problems, stored_schema
from patience import PATIENCE
from starlette.testclient import TestClient
from web_client import client_of
from web_database import NOW, TOKEN

from newscrawl.discovery.onboarding.survey_report import (
    SurveyedPage,
    SurveyedPattern,
    SurveyedSource,
    SurveyReport,
    from_json,
    to_json,
)
from newscrawl.errors import UsageError
from newscrawl.storage import events
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.store import open_store
from newscrawl.web.application import Pages
from newscrawl.web.background import KEPT, MAX_WAITING, Survey, Surveys
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import WebSettings

pytestmark = pytest.mark.process

HOME = "https://town.example/"
REPORT = SurveyReport(
    name="town",
    title="Town <b>News</b>",
    home=HOME,
    language="en",
    country=None,
    sources=(SurveyedSource(f"{HOME}feed", "feed", 12, NOW),),
    sections=(f"{HOME}sports/",),
    patterns=(SurveyedPattern(r"/\d{4}/", "a year"),),
    samples=(
        SurveyedPage(f"{HOME}2026/a", "A bridge", NOW, 250, "The bridge", None),
        SurveyedPage(f"{HOME}2026/b", None, None, 0, "", "its text is too short"),
    ),
    notes=("missing: two articles",),
    requests=14,
    file="spiders/town.py",
    text='class Town(NewsSpider):\n    name = "town"\n',
)


def process(*lines: Mapping[str, object], then: str = "") -> Sequence[str]:
    """A command in place of the survey's process: it writes the lines, and does what `then` says."""
    written = "".join(f"{to_json(line)}\n" for line in lines)
    code = f"import sys, time; sys.stdout.write({written!r}); sys.stdout.flush(); {then}"
    return (sys.executable, "-S", "-E", "-c", code)


def surveys(command: Sequence[str], max_seconds: float = PATIENCE) -> Surveys:
    return Surveys("sqlite://", lambda: NOW, command=command, max_seconds=max_seconds)


def ended(found: Surveys, number: int) -> Survey:
    """The survey, once it has ended."""
    until = time.monotonic() + PATIENCE
    while True:
        one = next(survey for survey in found.newest_first() if survey.number == number)
        if one.ended_at is not None:
            return one
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_report_travels_as_json() -> None:
    assert from_json(json.loads(to_json({"report": REPORT}))["report"]) == REPORT


def test_a_survey_counts_its_requests_and_ends_with_its_report() -> None:
    found = surveys(process({"requesting": HOME}, {"requesting": f"{HOME}feed"}, {"report": REPORT}))
    one = ended(found, found.begin(HOME, None, "ada"))
    assert (one.state, one.requests, one.requesting, one.report) == ("done", 2, f"{HOME}feed", REPORT)
    found.close()


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (process({"problem": "robots.txt forbids it"}), "robots.txt forbids it"),
        (process({"requesting": HOME}, then="sys.exit(3)"), "its process ended without a result"),
        (process(then="print('no JSON')"), "its process ended without a result"),
        ((sys.executable, "-S", "-E", "-c", ""), "its process ended without a result"),
    ],
)
def test_a_survey_that_fails_says_why(command: Sequence[str], problem: str) -> None:
    found = surveys(command)
    one = ended(found, found.begin(HOME, None, "ada"))
    assert (one.state, one.report) == ("failed", None)
    assert problem in str(one.problem)
    found.close()


def test_a_survey_that_takes_too_long_is_ended() -> None:
    found = surveys(process(then=f"time.sleep({PATIENCE})"), max_seconds=0.3)
    one = ended(found, found.begin(HOME, None, "ada"))
    assert (one.state, one.problem) == ("failed", "it took more than 0 seconds, and was ended")
    found.close()


def test_surveys_wait_for_their_turn_and_only_a_few_of_them(tmp_path: Path) -> None:
    hold = tmp_path / "hold"
    hold.touch()
    waits = f"import os; exec('while os.path.exists({str(hold)!r}): time.sleep(0.01)')"
    found = surveys(process({"problem": "none"}, then=waits))
    first = found.begin(HOME, None, "ada")
    until = time.monotonic() + PATIENCE
    while found.newest_first()[-1].state == "waiting":
        assert time.monotonic() < until
    for _ in range(MAX_WAITING):
        last = found.begin(HOME, None, "ada")
    with pytest.raises(UsageError, match="surveys wait already"):
        found.begin(HOME, None, "ada")
    assert [one.state for one in found.newest_first()] == ["waiting"] * MAX_WAITING + ["running"]
    hold.unlink()
    assert ended(found, last).asked_at == NOW
    assert ended(found, first).state == "failed"
    found.close()


def test_a_server_that_stops_ends_the_running_survey() -> None:
    found = surveys(process({"requesting": HOME}, then=f"time.sleep({PATIENCE})"))
    found.begin(HOME, None, "ada")
    until = time.monotonic() + PATIENCE
    while not found.newest_first()[0].requests:
        assert time.monotonic() < until
        time.sleep(0.01)
    begun = time.monotonic()
    found.close()
    assert time.monotonic() - begun < PATIENCE / 2
    assert found.newest_first()[0].state == "failed"


def test_only_the_newest_surveys_are_remembered() -> None:
    found = surveys(process({"problem": "none"}))
    numbers = [ended(found, found.begin(HOME, None, "ada")).number for _ in range(KEPT + 2)]
    assert [one.number for one in found.newest_first()] == list(reversed(numbers))[:KEPT]
    found.close()


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    url = f"sqlite:///{tmp_path}/news.db"
    open_store(url, upgrade=True).close()
    opened = partial(open_store, url, upgrade=False, max_wait=0.01)
    logins = Logins(TOKEN, lambda: NOW)
    pages = Pages(WebSettings(url, token=TOKEN, actions=True, open_store=opened), logins, lambda: NOW)
    pages.surveys = surveys(process({"requesting": HOME}, {"report": REPORT}))
    yield pages
    pages.close()


@pytest.fixture
def client(pages: Pages) -> TestClient:
    return client_of(pages, follow_redirects=False)


def test_a_site_is_surveyed_after_a_confirmation(client: TestClient, pages: Pages) -> None:
    assert pages.surveys is not None
    empty = client.get("/add")
    assert 'action="/act/add-site"' in empty.text
    assert client.get("/add.json").json()["shown"] is None
    confirm = client.get("/act/add-site", params={"url": HOME, "feed": f"{HOME}feed"})
    command = f"newscrawl add-site {HOME} --feed {HOME}feed --dry-run"
    assert f'<pre tabindex="0">{command}</pre>' in confirm.text
    assert pages.surveys.newest_first() == ()
    begun = client.post("/act/add-site", data={"url": HOME})
    assert (begun.status_code, begun.headers["location"]) == (303, "/add")
    ended(pages.surveys, 1)
    found = client.get("/add.json").json()
    assert problems(found, stored_schema("add")) == []
    assert found["report"]["text"] == REPORT.text
    page = client.get("/add").text
    assert "Town &lt;b&gt;News" in page
    assert "class Town(NewsSpider):" in page
    assert "its text is too short" in page
    assert "data-pause" not in page


def test_a_password_in_the_address_of_a_site_is_shown_nowhere(client: TestClient, pages: Pages) -> None:
    assert pages.surveys is not None
    client.post("/act/add-site", data={"url": "https://desk:verysecret@town.example/"})
    ended(pages.surveys, 1)
    assert client.get("/add.json").json()["surveys"][0]["url"] == "https://***@town.example/"
    assert "verysecret" not in client.get("/add").text
    with pages.database.reading() as connection:
        (event,) = events.acts(connection, FLEET)
    assert "verysecret" not in event.reason


def test_a_running_survey_is_followed_more_often(client: TestClient, pages: Pages) -> None:
    pages.surveys = surveys(process({"requesting": HOME}, then=f"time.sleep({PATIENCE})"))
    pages.surveys.begin(HOME, None, "ada")
    assert 'data-pause="2"' in client.get("/add").text


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"url": "javascript:alert(1)"}, 400, "javascript"),
        ({"url": HOME, "feed": "ftp://town.example/"}, 400, "ftp"),
        ({}, 400, "the parameter url is missing"),
    ],
)
def test_what_is_no_site_is_not_surveyed(client: TestClient, fields: dict[str, str], status: int, said: str) -> None:
    for answer in (client.get("/act/add-site", params=fields), client.post("/act/add-site", data=fields)):
        assert answer.status_code == status
        assert said in answer.text
    assert client.get("/add.json").json()["surveys"] == []


def test_an_unknown_survey_is_not_found(client: TestClient) -> None:
    assert client.get("/add.json", params={"survey": "7"}).status_code == 404


def test_without_actions_the_page_names_the_command(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    open_store(url, upgrade=True).close()
    client = client_of(url)
    assert "newscrawl add-site URL" in client.get("/add").text
    assert 'href="/add"' not in client.get("/").text
    assert client.post("/act/add-site", data={"url": HOME}).status_code == 403
