"""`newscrawl search --update`: once, and until it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from command_settings import give_settings
from patience import PATIENCE

from newscrawl.cli import search
from newscrawl.cli.main import main
from newscrawl.errors import IndexBusy
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash, identity_key, url_key
from newscrawl.publishing.search import Filters, query_of
from newscrawl.publishing.search.query_execution import ReadOnlyResult, search_read_only
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Stopped(Exception):
    """Ends a loop."""


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    address = f"sqlite:///{tmp_path}/news.db"
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=address)
    store(address, "The ferry leaves the harbour at seven.", "ferry")
    return address


def run(*options: str) -> Result:
    return CliRunner().invoke(main, ("search", *options), prog_name="newscrawl")


def store(address: str, text: str, name: str) -> None:
    page = f"https://harbour.example/{name}"
    raw = RawPage(page, page, 200, {}, None, NOW, "harbour", None)
    article = Article(
        page,
        "harbour",
        Metadata(title=name, language="en"),
        text,
        "classic",
        "article",
        content_hash=content_hash(text),
        identity_key=identity_key(text, url_key(page), 7),
    )
    with open_store(address, upgrade=True, max_wait=0.01) as opened:
        opened.save(ProcessedPage(raw, article)).result(PATIENCE)


def found(address: str, word: str) -> ReadOnlyResult | None:
    with open_reader(address) as connection:
        return search_read_only(address, connection, query_of(word), Filters(), 10)


def test_the_index_is_made_and_brought_up_to_date(url: str) -> None:
    assert found(url, "ferry") is None
    done = run("--update")
    assert (done.exit_code, done.stderr) == (0, "1 change put into the search index\n")
    answer = found(url, "ferry")
    assert answer is not None
    assert (len(answer.hits), answer.behind) == (1, 0)


def test_following_goes_on_while_another_process_writes_the_index(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
    result = run("--update", "--follow")
    assert isinstance(result.exception, Stopped)
    assert [line.partition(";")[0] for line in result.stderr.splitlines()] == [
        "newscrawl: search index news.db-search is being written by another process",
        "1 change put into the search index",
    ]


def test_a_missing_database_is_an_error_and_no_index_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=f"sqlite:///{tmp_path}/none.db")
    assert run("--update").exit_code == 2
    assert list(tmp_path.iterdir()) == []
