"""Commands that the pages start in the background: surveys of new sites, and re-extractions of pages in review."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from json_schema import problems, stored_schema
from patience import PATIENCE
from starlette.testclient import TestClient
from web_client import client_of
from web_database import NOW, TOKEN

from newscrawl.cli.reextract import command
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
from newscrawl.web.background import (
    KEPT,
    MAX_WAITING,
    Reextraction,
    Reextractions,
    Survey,
    Surveys,
    arguments_of,
)
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import TOKEN_VARIABLE, WebSettings

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
    """A command in place of newscrawl: it writes the lines, and does what `then` says."""
    written = "".join(f"{to_json(line)}\n" for line in lines)
    code = f"import os, sys, time; sys.stdout.write({written!r}); sys.stdout.flush(); {then}"
    return (sys.executable, "-S", "-E", "-c", code)


def surveys(command: Sequence[str], max_seconds: float = PATIENCE) -> Surveys:
    return Surveys("sqlite://", lambda: NOW, command=command, max_seconds=max_seconds)


def wait_for(is_true: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.01)


def ended(found: Surveys, number: int) -> Survey:
    """The survey, once it has ended."""

    def survey() -> Survey:
        return next(one for one in found.newest_first() if one.number == number)

    wait_for(lambda: survey().ended_at)
    return survey()


def newest_ended(found: Reextractions) -> Reextraction:
    """The newest re-extraction, once it has ended."""
    wait_for(lambda: found.newest_first()[0].ended_at)
    return found.newest_first()[0]


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
    waits = f"exec({f'while os.path.exists({str(hold)!r}): time.sleep(0.01)'!r})"
    found = surveys(process({"problem": "none"}, then=waits))
    first = found.begin(HOME, None, "ada")
    wait_for(lambda: found.newest_first()[-1].state != "waiting")
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
    wait_for(lambda: found.newest_first()[0].requests)
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
def settings(own: str, tmp_path: Path) -> WebSettings:
    opened = partial(open_store, own, upgrade=False, max_wait=0.01)
    return WebSettings(own, token=TOKEN, actions=True, open_store=opened, machine="ada", project=tmp_path)


@pytest.fixture
def pages(settings: WebSettings) -> Iterator[Pages]:
    pages = Pages(settings, Logins(TOKEN, lambda: NOW), lambda: NOW)
    pages.surveys = surveys(process({"requesting": HOME}, {"report": REPORT}))
    yield pages
    pages.close()


@pytest.fixture
def client(pages: Pages) -> TestClient:
    return client_of(pages, follow_redirects=False, raise_server_exceptions=False)


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


def test_without_actions_the_page_names_the_command(own: str) -> None:
    client = client_of(own)
    assert "newscrawl add-site URL" in client.get("/add").text
    assert 'href="/add"' not in client.get("/").text
    assert client.post("/act/add-site", data={"url": HOME}).status_code == 403


SITE = {"site": "valley"}


def test_the_command_knows_the_arguments() -> None:
    context = command.make_context("reextract", list(arguments_of("-valley")[1:]))
    assert (context.params["site"], context.params["in_review"], context.params["applied"]) == ("-valley", True, True)


def test_its_output_is_kept_without_control_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    code = f"print(os.getcwd()); print({TOKEN_VARIABLE!r} in os.environ); print('\\33[31m', *sys.argv[1:])"
    found = Reextractions(tmp_path, lambda: NOW, command=process(then=code))
    found.begin("valley", "ada")
    shown = "\\u001b[31m reextract --in-review --site=valley --apply"
    assert newest_ended(found) == Reextraction("valley", "ada", "done", NOW, NOW, (str(tmp_path), "False", shown))


def test_one_runs_at_a_time_and_is_ended_with_the_server(tmp_path: Path) -> None:
    found = Reextractions(tmp_path, lambda: NOW, command=process(then="print(1, flush=True); time.sleep(600)"))
    found.begin("valley", "ada")
    with pytest.raises(UsageError, match="valley is extracted again just now"):
        found.begin("harbour", "ada")
    found.close()
    assert newest_ended(found).state == "failed"


def test_the_screen_shows_what_the_command_said(client: TestClient, pages: Pages) -> None:
    assert pages.reextractions is not None
    pages.reextractions._command = process(then="print('no page of <this> selection'); sys.exit(2)")
    assert "Extract all again" in client.get("/review", params=SITE).text
    answer = client.post("/act/reextract", data=SITE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/review")
    newest_ended(pages.reextractions)
    shown = client.get("/review.json").json()
    assert problems(shown, stored_schema("review")) == []
    (one,) = shown["reextractions"]
    assert (one["site"], one["state"], one["output"]) == ("valley", "failed", ["no page of <this> selection"])
    assert "no page of &lt;this&gt; selection" in client.get("/review").text
    (event, *_) = client.get("/site.json", params={"name": "valley"}).json()["events"]
    assert event["kind"] == "operator/reextracted"
    assert "newscrawl reextract --in-review --site valley --apply" in event["reason"]


def test_a_database_without_its_project_gives_the_command(settings: WebSettings) -> None:
    client = client_of(replace(settings, project=None), raise_server_exceptions=False)
    assert "Extract all again" not in client.get("/review", params=SITE).text
    answer = client.post("/act/reextract", data=SITE)
    assert answer.status_code == 400
    assert "run <code>newscrawl reextract --in-review --site valley --apply</code>" in answer.text
    assert client.post("/act/reextract", data={"site": "harbour"}).status_code == 404
