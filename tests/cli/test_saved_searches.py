"""`newscrawl search --save`, `--saved`, `--evaluate` and `--remove`, as an operator runs them one after the other."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import feedparser
import pytest
from click.testing import CliRunner, Result
from command_settings import give_settings
from patience import PATIENCE

from newscrawl.cli.main import main
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash, identity_key, url_key
from newscrawl.storage.store import open_store
from newscrawl.testing.services.webhook import WebhookReceiver, serving

Run = Callable[..., Result]

PAGE = (Path(__file__).parents[2] / "docs/how-to/standing-searches.md").read_text("utf-8")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("search", "--saved")` in this process, on the test's own database."""
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=f"sqlite:///{tmp_path}/news.db")
    store(tmp_path, "An article of the past about the ferry.", "before")

    def run(*command: str) -> Result:
        return CliRunner().invoke(main, command, prog_name="newscrawl")

    return run


class Broken(WebhookReceiver):
    """Accepts nothing."""

    def answer(self, _body: bytes) -> int:
        return 500


class Taking(WebhookReceiver):
    """Accepts everything."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def answer(self, body: bytes) -> int:
        self.seen.append(json.loads(body))
        return 204


def store(folder: Path, text: str, name: str) -> None:
    """Stores a page's article."""
    url = f"https://harbour.example/{name}"
    hashes = {"content_hash": content_hash(text), "identity_key": identity_key(text, url_key(url), 60)}
    article = Article(
        url=url,
        site="harbour",
        text=text,
        verdict="article",
        extractor="classic",
        metadata=Metadata(title=name, language="en"),
        **hashes,
    )
    page = ProcessedPage(RawPage(url, url, 200, {}, None, datetime.now(UTC), "harbour", None), article)
    with open_store(f"sqlite:///{folder}/news.db", upgrade=True, max_wait=0.01) as opened:
        opened.save(page).result(timeout=PATIENCE)


def test_a_search_is_saved_evaluated_listed_and_removed(run: Run, tmp_path: Path) -> None:
    feed = tmp_path / "ferries.xml"
    saved = run("search", "--save", "ferries", "ferry OR boat site:harbour", "--to", f"atom:{feed}")
    assert (saved.exit_code, saved.stderr.split(":")[0]) == (0, "saved ferries")
    store(tmp_path, "Two ferries collided at night.", "night")
    evaluated = run("search", "--evaluate")
    assert (evaluated.exit_code, evaluated.stderr) == (0, "1 change evaluated, 1 event sent\n")
    assert [entry.title for entry in feedparser.parse(feed.read_bytes()).entries] == ["night"]
    listed = run("search", "--saved")
    assert listed.stdout == f"ferries: ferry OR boat site:harbour\n  atom:{feed}\n"
    assert run("search", "--remove", "ferries").exit_code == 0
    assert "no search is saved" in run("search", "--saved").stdout


def test_a_failing_destination_is_shown_without_its_secrets(run: Run, tmp_path: Path) -> None:
    receiver = Broken()
    with serving(receiver) as address:
        secret = address.replace("http://", "http://user:s3cret@") + "/token"
        shown = run("search", "--save", "ferries", "ferry", "--to", f"webhook:{secret}", "--digest", "0")
        store(tmp_path, "Two ferries collided at night.", "night")
        failed = run("search", "--evaluate")
    assert failed.exit_code == 1
    assert "1 delivery failed" in failed.stderr
    listed, as_json = run("search", "--saved"), run("search", "--saved", "--json")
    assert "1 attempt failed, it answered 500" in listed.stdout
    assert json.loads(as_json.stdout)["destinations"][0]["attempts"] == 1
    assert "s3cret" not in shown.output + failed.output + listed.output + as_json.output
    assert "token" not in listed.output + as_json.output


def test_the_commands_of_the_guide_work(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mail = {"NEWSCRAWL_ALERT_MAIL_HOST": "mail.example", "NEWSCRAWL_ALERT_MAIL_TLS": "starttls"}
    mail |= {"NEWSCRAWL_ALERT_MAIL_FROM": "news@example.org", "NEWSCRAWL_ALERT_MAIL_TO": "desk@example.org"}
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=f"sqlite:///{tmp_path}/news.db", **mail)
    block = PAGE.split("```\n")[1]
    lines = block.replace("/srv/www", str(tmp_path)).replace("site:demo", "site:harbour").splitlines()
    assert len(lines) >= 5
    for line in lines:
        program, *command = shlex.split(line)
        result = run(*command)
        assert (program, result.exit_code) == ("newscrawl", 0), result.output
    store(tmp_path, "A strike and two ferries.", "strike at the mill")
    assert run("search", "--evaluate").exit_code == 0
    assert json.loads((tmp_path / "strikes.json").read_text("utf-8"))["items"][0]["title"] == "strike at the mill"


def test_a_webhook_gets_what_the_guide_shows(run: Run, tmp_path: Path) -> None:
    receiver = Taking()
    with serving(receiver) as address:
        run("search", "--save", "ferries", "ferry", "--to", f"webhook:{address}")
        store(tmp_path, "Two ferries collided at night.", "night")
        assert run("search", "--evaluate").exit_code == 0
    shown = json.loads(PAGE.split("```json\n")[1].split("```")[0])
    (sent,) = receiver.seen
    assert (sent.keys(), sent["events"][0].keys()) == (shown.keys(), shown["events"][0].keys())
    assert sent["events"][0]["article"].keys() == shown["events"][0]["article"].keys()
    assert sent["version"] == shown["version"]
