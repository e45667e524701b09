"""`--database URL`: reading and controlling commands work in a folder that is no project."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from newscrawl.cli.main import main
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import RawPage
from newscrawl.storage.store import open_store

URL = "https://example.org/news/bridge"
BODY = "<html><title>Bridge opens</title><article><h1>Bridge opens</h1>" + "".join(
    f"<p>The new bridge over the river was opened on Monday by the mayor, {n} years later than planned.</p>"
    for n in range(2, 20)
)
COMMANDS = {
    ("status",): "example",
    ("why", URL): "Bridge opens",
    ("search", "bridge"): "Bridge opens",
    ("export",): '"Bridge opens"',
    ("feed", "jsonl:-"): "Bridge opens",
    ("history", URL): "Bridge opens",
    ("review", "list"): "nothing waits",
    ("feed-address", "list"): "there is no secret address",
    ("pause", "example"): "paused until it is resumed",
    ("resume", "example"): "was not paused",
    ("feed-address", "new", "--site", "example"): "address 1 of the feed",
}
"""What a command shows of the database."""


def call(words: Sequence[str], database: str) -> Result:
    return CliRunner().invoke(main, [*words, "--database", database])


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A SQLite database with an article. What commands show of PostgreSQL is in tests/golden/test_recorded_run.py."""
    database = f"sqlite:///{tmp_path}/news.db"
    page = RawPage(URL, URL, 200, {}, BODY.encode(), datetime(2026, 11, 20, tzinfo=UTC), "example")
    with open_store(database, upgrade=True) as store:
        future = store.save(fingerprint(make_article(page, ArticleOptions())))
        store.flush()
        future.result(30)
    return database


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "")  # so that what a command names is taken back after the test
    monkeypatch.delenv("SCRAPY_SETTINGS_MODULE")
    return folder


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_needs_no_project(words: tuple[str, ...], database: str, empty: Path) -> None:
    done = call(words, database)
    assert done.exit_code == 0, done.output
    assert COMMANDS[words] in done.output
    assert not [*empty.iterdir()]


def test_a_site_that_is_not_stored_is_refused_without_a_project(database: str, empty: Path) -> None:
    done = call(["pause", "exampel"], database)
    assert done.exit_code == 2
    assert "example" in done.output


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_database_that_is_not_there_and_an_address_of_none_are_refused(
    words: tuple[str, ...], tmp_path: Path, empty: Path
) -> None:
    done = call(words, f"sqlite:///{tmp_path / 'none.db'}")
    assert done.exit_code == 2
    assert "none.db" in done.output
    assert not (tmp_path / "none.db").exists()
    done = call(words, "news.db")
    assert done.exit_code == 2
    assert "NEWSCRAWL_DATABASE_URL" in done.output or "--database" in done.output
    assert "Traceback" not in done.output


def test_without_a_project_the_error_names_the_option(empty: Path) -> None:
    done = CliRunner().invoke(main, ["status"])
    assert done.exit_code == 2
    assert "--database URL" in done.output


def test_an_unknown_address_needs_no_declarations(database: str, empty: Path) -> None:
    done = call(["why", "https://example.org/other"], database)
    assert done.exit_code == 1
    assert "in this database" in done.output


def test_a_project_without_the_add_on_is_none_of_newscrawl(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty / "scrapy.cfg").write_text("[settings]\ndefault = others_settings\n")
    (empty / "others_settings.py").write_text("BOT_NAME = 'others'\n")
    monkeypatch.syspath_prepend(empty)
    done = CliRunner().invoke(main, ["status"])
    assert done.exit_code == 2
    assert "ADDONS do not name newscrawl.addon.Newscrawl" in done.output


@pytest.mark.process
def test_ingest_needs_no_project(tmp_path: Path, empty: Path) -> None:
    page = tmp_path / "bridge.html"
    page.write_text(BODY.replace("<html>", f'<html><link rel=canonical href="{URL}">'))
    database = f"sqlite:///{tmp_path / 'news.db'}"
    done = call(["ingest", str(page), "--workers", "1"], database)
    assert done.exit_code == 0, done.output
    exported = call(["export"], database)
    assert (exported.exit_code, '"site": "example.org"' in exported.output) == (0, True), exported.output
    assert not [*empty.iterdir()]


@pytest.mark.postgresql
def test_tables_are_made_without_a_project(empty_postgresql: str, empty: Path) -> None:
    done = call(["db", "upgrade"], empty_postgresql)
    assert done.exit_code == 0, done.output
    assert call(["status"], empty_postgresql).exit_code == 0
