"""`newscrawl search`: saved searches, and the index that `--update` brings up to date."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import feedparser
import pytest
from click.testing import Result
from patience import PATIENCE

from newscrawl.cli import search
from newscrawl.errors import IndexBusy
from newscrawl.model import ProcessedPage
from newscrawl.publishing.search import Filters, SearchAnswer, query_of
from newscrawl.publishing.search.query_execution import search_read_only
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store
from newscrawl.testing.services.webhook import WebhookReceiver, serving

Call = Callable[..., Result]
Put = Callable[[str, str], None]

PAGE = (Path(__file__).parents[2] / "docs/how-to/standing-searches.md").read_text("utf-8")


@pytest.fixture
def put(tmp_path: Path, made: Callable[..., ProcessedPage]) -> Put:
    """`put(text, name)` stores a page's article; one is there."""

    def put(text: str, name: str) -> None:
        page = made(f"https://harbour.example/{name}", text, name, at=datetime.now(UTC))
        with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True, max_wait=0.01) as opened:
            opened.save(page).result(timeout=PATIENCE)

    put("An article of the past about the ferry.", "before")
    return put


class Broken(WebhookReceiver):
    """Accepts nothing."""

    def answer(self, _body: bytes) -> int:
        return 500


def test_a_search_is_saved_evaluated_listed_and_removed(call: Call, put: Put, tmp_path: Path) -> None:
    feed = tmp_path / "ferries.xml"
    saved = call("search", "--save", "ferries", "ferry OR boat site:harbour", "--to", f"atom:{feed}")
    assert (saved.exit_code, saved.stderr.split(":")[0]) == (0, "saved ferries")
    put("Two ferries collided at night.", "night")
    evaluated = call("search", "--evaluate")
    assert (evaluated.exit_code, evaluated.stderr) == (0, "1 change evaluated, 1 event sent\n")
    assert [entry.title for entry in feedparser.parse(feed.read_bytes()).entries] == ["night"]
    listed = call("search", "--saved")
    assert listed.stdout == f"ferries: ferry OR boat site:harbour\n  atom:{feed}\n"
    assert call("search", "--remove", "ferries").exit_code == 0
    assert "no search is saved" in call("search", "--saved").stdout


def test_a_failing_destination_is_shown_without_its_secrets(call: Call, put: Put, tmp_path: Path) -> None:
    receiver = Broken()
    with serving(receiver) as address:
        secret = address.replace("http://", "http://user:s3cret@") + "/token"
        shown = call("search", "--save", "ferries", "ferry", "--to", f"webhook:{secret}", "--digest", "0")
        put("Two ferries collided at night.", "night")
        failed = call("search", "--evaluate")
    assert failed.exit_code == 1
    assert "1 delivery failed" in failed.stderr
    listed, as_json = call("search", "--saved"), call("search", "--saved", "--json")
    assert "1 attempt failed, it answered 500" in listed.stdout
    assert json.loads(as_json.stdout)["destinations"][0]["attempts"] == 1
    assert "s3cret" not in shown.output + failed.output + listed.output + as_json.output
    assert "token" not in listed.output + as_json.output


def test_the_commands_of_the_guide_work(call: Call, put: Put, tmp_path: Path) -> None:
    mail = {"NEWSCRAWL_ALERT_MAIL_HOST": "mail.example", "NEWSCRAWL_ALERT_MAIL_TLS": "starttls"}
    mail |= {"NEWSCRAWL_ALERT_MAIL_FROM": "news@example.org", "NEWSCRAWL_ALERT_MAIL_TO": "desk@example.org"}
    block = PAGE.split("```\n")[1]
    lines = block.replace("/srv/www", str(tmp_path)).replace("site:demo", "site:harbour").splitlines()
    assert len(lines) >= 5
    for line in lines:
        program, *command = shlex.split(line)
        result = call(*command, **mail)
        assert (program, result.exit_code) == ("newscrawl", 0), result.output
    put("A strike and two ferries.", "strike at the mill")
    assert call("search", "--evaluate").exit_code == 0
    assert json.loads((tmp_path / "strikes.json").read_text("utf-8"))["items"][0]["title"] == "strike at the mill"


def test_a_webhook_gets_what_the_guide_shows(call: Call, put: Put, tmp_path: Path) -> None:
    receiver = WebhookReceiver()
    with serving(receiver) as address:
        call("search", "--save", "ferries", "ferry", "--to", f"webhook:{address}")
        put("Two ferries collided at night.", "night")
        assert call("search", "--evaluate").exit_code == 0
    shown = json.loads(PAGE.split("```json\n")[1].split("```")[0])
    (sent,) = receiver.posted
    assert (sent.keys(), sent["events"][0].keys()) == (shown.keys(), shown["events"][0].keys())
    assert sent["events"][0]["article"].keys() == shown["events"][0]["article"].keys()
    assert sent["version"] == shown["version"]


class Stopped(Exception):
    """Ends a loop."""


@pytest.fixture
def url(tmp_path: Path, put: Put) -> str:
    return f"sqlite:///{tmp_path}/news.db"


def found(address: str, word: str) -> SearchAnswer | None:
    with open_reader(address) as connection:
        return search_read_only(address, connection, query_of(word), Filters(), 10)


def test_the_index_is_made_and_brought_up_to_date(call: Call, url: str) -> None:
    assert found(url, "ferry") is None
    done = call("search", "--update")
    assert (done.exit_code, done.stderr) == (0, "1 change put into the search index\n")
    answer = found(url, "ferry")
    assert answer is not None
    assert (len(answer.hits), answer.behind) == (1, 0)


def test_following_goes_on_while_another_process_writes_the_index(
    call: Call, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = iter(("busy", "busy", "", "", "stop"))
    applied = search.update_index_of

    def update(address: str, progress: Callable[[int, int], None]) -> int:
        if (state := next(rounds)) == "busy":
            raise IndexBusy("search index news.db-search is being written by another process")
        if state == "stop":
            raise Stopped
        return applied(address, progress)

    monkeypatch.setattr(search, "update_index_of", update)
    monkeypatch.setattr(search, "PAUSE", 0.0)
    result = call("search", "--update", "--follow")
    assert isinstance(result.exception, Stopped)
    assert [line.partition(";")[0] for line in result.stderr.splitlines()] == [
        "newscrawl: search index news.db-search is being written by another process",
        "1 change put into the search index",
    ]


def test_a_missing_database_is_an_error_and_no_index_is_made(call: Call, tmp_path: Path) -> None:
    assert call("search", "--update").exit_code == 2
    assert list(tmp_path.iterdir()) == []
