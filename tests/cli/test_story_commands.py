"""`history`, `feed`, `forget`, `export` and `db prune`, as an operator runs them one after the other."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from patience import PATIENCE
from pyarrow import parquet

from newscrawl.cli import project
from newscrawl.cli.main import main
from newscrawl.crawling.process import project_settings
from newscrawl.identity import content_hash, identity_key, url_key
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.storage import Store, open_store

Run = Callable[..., Result]

URL, OTHER = "https://harbour.example/ferry", "https://harbour.example/whale"
NOW = datetime.now(UTC)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("history", URL, NEWSCRAWL_RETENTION={...})` in this process, on the test's own database."""

    def run(*command: str, stdin: str | None = None, **changed: object) -> Result:
        settings = project_settings()
        settings.setdict({"NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db", **changed}, priority="cmdline")
        monkeypatch.setattr(project, "project_settings", lambda: settings)
        return CliRunner().invoke(main, command, input=stdin, prog_name="newscrawl")

    return run


def save(store: Store, url: str, text: str, at: datetime, title: str) -> None:
    hashes = {"content_hash": content_hash(text), "identity_key": identity_key(text, url_key(url), 60)}
    said = {"url": url, "site": "harbour", "text": text, "verdict": "article", "extractor": "classic"}
    article = Article(metadata=Metadata(title=title, language="en"), **said, **hashes)  # type: ignore[arg-type]
    store.save(ProcessedPage(RawPage(url, url, 200, {}, None, at, "harbour", None), article)).result(timeout=PATIENCE)


@pytest.fixture(autouse=True)
def stories(tmp_path: Path) -> None:
    """A page with two versions and a page with one, of ten days ago."""
    text = "The council met on Tuesday about the ferry.\n\n" + "Two members left before the vote was taken. " * 9
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True, max_wait=0.01) as store:
        save(store, URL, text, NOW - timedelta(days=2), "Ferry")
        save(store, URL, text.replace("Tuesday", "Monday"), NOW - timedelta(days=1), "Ferry")
        save(store, OTHER, "A whale came into the harbour again. " * 12, NOW - timedelta(days=10), "=Whale")


def lines(file: Path) -> list[tuple[str, str | None]]:
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(one["op"], one.get("article", {}).get("title")) for one in told]


def test_history_shows_versions_and_what_changed(run: Run) -> None:
    shown = run("history", f"{URL}?utm_source=x#top", "--diff")
    assert shown.exit_code == 0
    assert "correction" in shown.stdout
    assert "shown now" in shown.stdout
    assert "Monday" in shown.stdout
    told = json.loads(run("history", URL, "--json").stdout)
    assert [one["change_class"] for one in told["versions"]] == ["first", "correction"]
    unknown = run("history", "https://harbour.example/none")
    assert (unknown.exit_code, "newscrawl why" in unknown.stdout) == (1, True)


def test_a_story_goes_out_is_forgotten_and_its_consumers_are_told(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "changes.jsonl"
    feed = ("feed", f"jsonl:{file}", "--name", "mine")
    assert "changes given" in run(*feed).stderr
    assert set(lines(file)) == {("upsert", "=Whale"), ("version", "Ferry"), ("remove", None)}
    assert run(*feed).stderr.startswith("0 changes")
    assert "mine: 0 changes behind" in run("db", "consumers").stdout

    asked = run("forget", URL, stdin="n\n")
    assert (asked.exit_code, "cannot be undone" in asked.stderr) == (1, True)
    gone = run("forget", URL, "--block", "--yes")
    assert (gone.exit_code, gone.stdout) == (0, "forgot 1 page and 2 articles; it is blocked\n")
    assert run("forget", URL, "--site", "harbour").exit_code == 2
    run(*feed)
    assert lines(file)[-2:] == [("remove", None)] * 2


def test_what_is_too_old_goes_and_the_rest_is_exported(run: Run, tmp_path: Path) -> None:
    keep = {"NEWSCRAWL_RETENTION": {"harbour": {"articles": 5}}}
    asked = run("db", "prune", "--dry-run", **keep)
    assert (asked.exit_code, "1  pages whose texts are too old" in asked.stdout) == (0, True)
    file = tmp_path / "news.parquet"
    since = f"{NOW - timedelta(days=5):%Y-%m-%d}"
    assert run("export", "--format", "parquet", "-o", str(file), "--until", since).exit_code == 0
    assert parquet.read_table(file)["title"].to_pylist() == ["=Whale"]
    assert "1  texts that no page is left of" in run("db", "prune", **keep).stdout
    assert "Whale" not in run("export", "--format", "csv").stdout
    wrong = run("db", "prune", NEWSCRAWL_RETENTION={"harbour": {"article": 5}})
    assert (wrong.exit_code, "there are articles, versions, events" in wrong.stderr) == (2, True)


def test_blocks_are_told_listed_and_lifted(run: Run) -> None:
    run("forget", URL, "--block", "--yes")
    again = run("forget", URL, "--block", "--yes")
    assert (again.exit_code, again.stdout.split(" since ")[0]) == (0, f"nothing of {URL} is stored; it is blocked")
    told = run("why", URL)
    assert (told.exit_code, "blocked since 20" in told.stdout) == (0, True)
    assert run("forget", "--blocked").stdout.startswith(f"{url_key(URL)}  since 20")
    assert run("forget", URL, "--unblock").stdout == f"no longer blocked: {url_key(URL)}\n"
    assert run("forget", "--blocked").stdout == "nothing is blocked\n"
    assert run("forget", URL, "--unblock").exit_code == 2
    assert run("why", URL).exit_code == 1


def test_a_sites_block_is_lifted_with_those_of_its_pages(run: Run) -> None:
    run("forget", "--site", "harbour", "--block", "--yes")
    assert len(run("forget", "--blocked").stdout.splitlines()) == 3
    run("forget", OTHER, "--unblock")
    assert len(run("forget", "--blocked").stdout.splitlines()) == 2
    run("forget", "--site", "harbour", "--unblock")
    assert run("forget", "--blocked").stdout == "nothing is blocked\n"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("forget --site nosuch --yes", "no site 'nosuch' in the database: there are harbour"),
        ("status nosuch", "no site 'nosuch' in the database: there are harbour"),
        ("export --since 2026-05-02 --until 2026-05-01", "between --since 2026-05-02 and --until 2026-05-01"),
        ("feed jsonl:/nonexistent/x", "cannot write /nonexistent/x: no such file or directory; give another file"),
        ("db backup /nonexistent/b.db", "cannot back up to /nonexistent/b.db: /nonexistent is no folder"),
        ("forget --blocked --site harbour", "--blocked takes no URL and no --site"),
    ],
)
def test_what_cannot_be_meant_is_bad_usage(run: Run, command: str, words: str) -> None:
    done = run(*command.split())
    assert (done.exit_code, words in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [("a.csv", [], b"id,"), ("a.parquet", [], b"PAR1"), ("a.csv", ["--format", "jsonl"], b"{"), ("a.txt", [], b"{")],
)
def test_a_files_name_says_its_format_unless_the_option_does(
    run: Run, tmp_path: Path, name: str, options: list[str], start: bytes
) -> None:
    assert run("export", "-o", str(tmp_path / name), *options).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_status_is_of_one_site_if_one_is_named_and_its_dates_are_iso(run: Run) -> None:
    assert run("status", "harbour").stdout.splitlines()[1].startswith("harbour")
    (site,) = json.loads(run("status", "harbour", "--json").stdout)
    assert site["articles"] == 2
