"""Pages in review that are extracted again from the pages of `newscrawl web`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from json_schema import problems, stored_schema
from patience import PATIENCE
from web_client import client_of
from web_database import NOW, TOKEN, fill

from newscrawl.cli.reextract import command
from newscrawl.errors import UsageError
from newscrawl.storage.store import open_store
from newscrawl.web.application import Pages
from newscrawl.web.background import Reextraction, Reextractions, arguments_of
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import TOKEN_VARIABLE, WebSettings

pytestmark = pytest.mark.process

SITE = {"site": "valley"}


def process(code: str) -> Sequence[str]:
    """A command in place of newscrawl."""
    return (sys.executable, "-S", "-E", "-c", f"import os, sys, time\n{code}")


def ended(found: Reextractions) -> Reextraction:
    """The newest re-extraction, once it has ended."""
    until = time.monotonic() + PATIENCE
    while found.newest_first()[0].ended_at is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    return found.newest_first()[0]


@pytest.fixture
def settings(tmp_path: Path) -> WebSettings:
    url = f"sqlite:///{tmp_path}/news.db"
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        fill(store)
    opened = partial(open_store, url, upgrade=False, max_wait=0.01)
    return WebSettings(url, token=TOKEN, actions=True, open_store=opened, machine="ada", project=tmp_path)


@pytest.fixture
def pages(settings: WebSettings) -> Iterator[Pages]:
    found = Pages(settings, Logins(TOKEN, lambda: NOW), lambda: NOW)
    yield found
    found.close()


def test_the_command_knows_the_arguments() -> None:
    context = command.make_context("reextract", list(arguments_of("-valley")[1:]))
    assert (context.params["site"], context.params["in_review"], context.params["applied"]) == ("-valley", True, True)


def test_its_output_is_kept_without_control_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    code = f"print(os.getcwd()); print({TOKEN_VARIABLE!r} in os.environ); print('\\33[31m', *sys.argv[1:])"
    found = Reextractions(tmp_path, lambda: NOW, command=process(code))
    found.begin("valley", "ada")
    shown = "\\u001b[31m reextract --in-review --site=valley --apply"
    assert ended(found) == Reextraction("valley", "ada", "done", NOW, NOW, (str(tmp_path), "False", shown))


def test_one_runs_at_a_time_and_is_ended_with_the_server(tmp_path: Path) -> None:
    found = Reextractions(tmp_path, lambda: NOW, command=process("print(1, flush=True); time.sleep(600)"))
    found.begin("valley", "ada")
    with pytest.raises(UsageError, match="valley is extracted again just now"):
        found.begin("harbour", "ada")
    found.close()
    assert ended(found).state == "failed"


def test_the_screen_shows_what_the_command_said(pages: Pages) -> None:
    assert pages.reextractions is not None
    pages.reextractions._command = process("print('no page of <this> selection'); sys.exit(2)")
    client = client_of(pages, raise_server_exceptions=False)
    assert "Extract all again" in client.get("/review", params=SITE).text
    answer = client.post("/act/reextract", data=SITE, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/review")
    ended(pages.reextractions)
    shown = client.get("/review.json").json()
    assert problems(shown, stored_schema("review")) == []
    (one,) = shown["reextractions"]
    assert (one["site"], one["state"], one["output"]) == ("valley", "failed", ["no page of <this> selection"])
    assert "no page of &lt;this&gt; selection" in client.get("/review").text
    (event, *_) = client.get("/site.json", params={"name": "valley"}).json()["events"]
    assert event["kind"] == "operator/reextracted"
    assert "newscrawl reextract --in-review --site valley --apply" in event["reason"]


def test_a_database_without_its_project_gives_the_command(settings: WebSettings) -> None:
    shown = WebSettings(settings.database_url, token=TOKEN, actions=True, open_store=settings.open_store)
    pages = Pages(shown, Logins(TOKEN, lambda: NOW), lambda: NOW)
    client = client_of(pages, raise_server_exceptions=False)
    assert "Extract all again" not in client.get("/review", params=SITE).text
    answer = client.post("/act/reextract", data=SITE)
    assert answer.status_code == 400
    assert "run <code>newscrawl reextract --in-review --site valley --apply</code>" in answer.text
    assert client.post("/act/reextract", data={"site": "harbour"}).status_code == 404
    pages.close()
