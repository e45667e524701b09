"""`history`, `feed`, `forget`, `export` and `db prune`, as an operator runs them one after the other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import Result
from patience import PATIENCE
from pyarrow import parquet

from newscrawl.cli.why import not_followed
from newscrawl.config.project import project_settings
from newscrawl.model import ProcessedPage
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.store import open_store
from newscrawl.testing.services.webhook import WebhookReceiver, serving

Call = Callable[..., Result]

URL, OTHER = "https://harbour.example/ferry", "https://harbour.example/whale"
NOW = datetime.now(UTC)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, made: Callable[..., ProcessedPage]) -> Path:
    """A page with two versions and a page with one, of ten days ago."""
    file = tmp_path_factory.mktemp("filled") / "news.db"
    text = "The council met on Tuesday about the ferry.\n\n" + "Two members left before the vote was taken. " * 9
    with open_store(f"sqlite:///{file}", upgrade=True, max_wait=0.01) as store:
        for page in (
            made(URL, text, at=NOW - timedelta(days=2)),
            made(URL, text.replace("Tuesday", "Monday"), at=NOW - timedelta(days=1)),
            made(OTHER, "A whale came into the harbour again. " * 12, "=Whale", at=NOW - timedelta(days=10)),
        ):
            store.save(page).result(timeout=PATIENCE)
    return file


@pytest.fixture(autouse=True)
def stories(filled: Path, tmp_path: Path) -> None:
    """A copy of that database."""
    shutil.copy(filled, tmp_path / "news.db")


def lines(file: Path) -> list[tuple[str, str | None]]:
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(one["op"], one["article"]["title"] if one["article"] else None) for one in told]


def test_a_story_goes_out_is_forgotten_and_its_consumers_are_told(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "changes.jsonl"
    feed = ("feed", f"jsonl:{file}", "--name", "mine")
    assert call(*feed).stderr.startswith("3 changes sent")
    assert sorted(op for op, _ in lines(file)) == ["remove", "upsert", "upsert"]
    assert {title for op, title in lines(file) if op == "upsert"} == {"=Whale", "Ferry"}
    assert call(*feed).stderr.startswith("0 changes")
    assert "mine: 0 changes behind" in call("db", "consumers").stdout

    asked = call("forget", URL, stdin="n\n")
    assert (asked.exit_code, "cannot be undone" in asked.stderr) == (1, True)
    assert f"{URL}: 1 page and 2 articles\n  {URL}\nforget it?" in asked.stderr
    assert call("forget", "--register").stdout == "nothing was forgotten\n"
    gone = call("forget", URL, "--block", "--yes", "--reason", "a court's order")
    assert (gone.exit_code, gone.stdout) == (0, "forgot 1 page and 2 articles; it is blocked\n")
    listed = call("forget", "--register").stdout
    assert "page: 1 page and 2 articles of harbour, blocked, by " in listed
    assert listed.endswith(": a court's order\n")
    entry = json.loads(call("forget", "--register", "--json").stdout)
    assert (entry["site"], entry["pages"], entry["reason"]) == ("harbour", 1, "a court's order")
    assert URL not in json.dumps(entry)
    call(*feed)
    assert lines(file)[-2:] == [("remove", None)] * 2


def test_a_feed_can_be_a_part_of_the_articles_and_a_search_index_cannot(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "whales.jsonl"
    whales = ("feed", f"jsonl:{file}", "--query", "whale -ferry", "--verdict", "article", "--site", "harbour")
    assert call(*whales).exit_code == 0
    assert [title for op, title in lines(file) if op == "upsert"] == ["=Whale"]
    assert "remove" not in {op for op, _ in lines(file)}
    assert "jsonl:" in (consumers := call("db", "consumers").stdout)
    nameless = call("feed", "jsonl:")
    assert (nameless.exit_code, "names no file" in nameless.stderr, nameless.stdout) == (2, True, "")
    assert call("db", "consumers").stdout == consumers
    assert "--site harbour --verdict article --query 'whale -ferry'" in consumers
    named = ("feed", f"jsonl:{file}", "--name", "mine")
    assert call(*named).exit_code == 0
    refused = call(*named, "--lang", "de")
    assert (refused.exit_code, "was fed with no filter, not with --lang de" in refused.stderr) == (2, True)
    index = call("feed", "opensearch:http://127.0.0.1:9/news", "--lang", "de")
    assert (index.exit_code, "leave out --site, --lang, --verdict, --query and" in index.stderr) == (2, True)
    assert call("feed", "jsonl:-", "--query", "-ferry").exit_code == 2


def test_the_schema_of_a_change_is_printed_without_a_sink_or_database(call: Call) -> None:
    shown = call("feed", "--schema")
    assert (shown.exit_code, json.loads(shown.stdout)["properties"]["version"]) == (0, {"const": 2})


def test_what_a_webhook_refuses_is_named_and_sent_again(call: Call) -> None:
    receiver = WebhookReceiver()
    receiver.refused = {"Ferry": 422}
    with serving(receiver) as url:
        feed = ("feed", f"webhook:{url}/T0?token=hidden")
        first = call(*feed)
        assert (first.exit_code, "1 change was refused:" in first.stderr) == (1, True)
        status, consumers = call("status").stdout, call("db", "consumers").stdout
        assert "1 refused change" in consumers
        assert "article 2: it answered 422 (no," in status
        receiver.refused = {}
        again = call(*feed, "--resend")
        assert (again.exit_code, receiver.taken[-1]) == (0, "Ferry")
        assert "refused change" not in call("status").stdout
        assert not [
            text for text in (first.stderr, status, consumers, again.stderr) if "hidden" in text or "T0" in text
        ]


def test_what_is_too_old_goes_and_the_rest_is_exported(call: Call, tmp_path: Path) -> None:
    keep = {"NEWSCRAWL_RETENTION": {"harbour": {"articles": 5}}}
    asked = call("db", "prune", "--dry-run", **keep)
    assert (asked.exit_code, "1  pages with expired texts" in asked.stdout) == (0, True)
    file = tmp_path / "news.parquet"
    since = f"{NOW - timedelta(days=5):%Y-%m-%d}"
    assert call("export", "--format", "parquet", "-o", str(file), "--until", since).exit_code == 0
    assert parquet.read_table(file)["title"].to_pylist() == ["=Whale"]
    assert "1  texts that no page shows any longer" in call("db", "prune", **keep).stdout
    assert "Whale" not in call("export", "--format", "csv").stdout
    wrong = call("db", "prune", NEWSCRAWL_RETENTION={"harbour": {"article": 5}})
    assert (wrong.exit_code, "there are articles, versions, events" in wrong.stderr) == (2, True)


def test_a_span_is_a_time_before_now_in_every_command(call: Call) -> None:
    assert "Whale" not in call("export", "--format", "csv", "--since", "3d").stdout
    assert "Whale" in call("export", "--format", "csv", "--since", "264h").stdout
    assert "Whale" in call("export", "--format", "csv", "--until", "3d").stdout
    assert call("search", "council", "--since", "12h").exit_code in {0, 1}


def test_forget_looks_before_it_asks(call: Call) -> None:
    nothing = call("forget", "https://harbour.example/none", stdin="")
    assert (nothing.exit_code, nothing.stderr) == (1, "")
    assert nothing.stdout == "nothing of https://harbour.example/none is stored\n"
    site = call("forget", "--site", "harbour", "--block", stdin="n\n")
    assert site.exit_code == 1
    told = f"site harbour: 2 pages and 3 articles\n  {URL}\n  {OTHER}\n"
    assert site.stderr.startswith(f"{told}it will be blocked: never fetched or stored again")
    assert json.loads(call("history", URL, "--json").stdout)["versions"]


def test_why_says_what_the_rule_refuses(call: Call) -> None:
    refused = call("why", "http://demo.localhost:8765/about")
    assert (refused.exit_code, "the rule of site demo refuses it" in refused.stdout) == (1, True)
    fine = call("why", "http://demo.localhost:8765/city/1901/never-there")
    assert "an article's address by the rule of site demo, but no source named it" in fine.stdout
    assert "no declared site has this address" in call("why", "https://nosuch.example/a").stdout


DECLARED = """
from newscrawl.crawling.spider import NewsSpider

class Harbour(NewsSpider):
    name = "harbour"
    domains = ("harbour.example",)
"""


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/", "never an article's, on any site (a front page"),
        ("/report.pdf", "never an article's, on any site (a front page, a file"),
        ("/section/", "declares no `articles`, so every address that a feed or news sitemap names is requested"),
        ("/section/", "judged by general rules, and this one is not an article's by them; no source named it"),
        ("/council-votes-for-new-bridge", "and this one is an article's by them; no source named it"),
    ],
)
def test_why_names_no_rule_of_a_site_that_declares_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, reason: str
) -> None:
    (tmp_path / "spiders_without_rules.py").write_text(DECLARED, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    settings = project_settings()
    settings.set("SPIDER_MODULES", ["spiders_without_rules"])
    told = not_followed(settings, f"https://harbour.example{path}")
    assert reason in told
    assert "(`articles` in its declaration)" not in told


def test_export_to_a_file_writes_nothing_to_standard_output(call: Call, tmp_path: Path) -> None:
    done = call("export", "-o", str(tmp_path / "news.jsonl"))
    assert (done.stdout, done.stderr) == ("", f"2 articles in {tmp_path}/news.jsonl\n")


def test_status_names_deleted_files_that_are_not_here(call: Call, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=False, max_wait=0.01) as store:
        number = store.run(locations.add_file, "gone.warc.gz", NOW).result()
        store.run(archive_files.delete_file, number, NOW).result()
    shown = call("status")
    assert shown.exit_code == 0
    assert "archive: 1 deleted file not on this machine, deletion not confirmed: gone.warc.gz" in shown.stdout


def test_a_sites_block_is_lifted_with_those_of_its_pages(call: Call) -> None:
    call("forget", "--site", "harbour", "--block", "--yes")
    assert len(call("forget", "--blocked").stdout.splitlines()) == 3
    call("forget", OTHER, "--unblock")
    assert len(call("forget", "--blocked").stdout.splitlines()) == 2
    call("forget", "--site", "harbour", "--unblock")
    assert call("forget", "--blocked").stdout == "nothing is blocked\n"


def test_a_declared_site_without_articles_is_known(call: Call) -> None:
    assert [call("export", "--site", "elpais").exit_code, call("status", "elpais").exit_code] == [0, 0]
    assert call("search", "ferry", "--site", "elpais").exit_code == 1


def test_a_consumer_that_has_read_is_told_what_was_forgotten_of_its_site(call: Call) -> None:
    feed = ("feed", "jsonl:-", "--site", "harbour")
    assert '"upsert"' in call(*feed).stdout
    call("forget", "--site", "harbour", "--yes")
    assert '"remove"' in call(*feed).stdout
    assert call(*feed, "--name", "new").exit_code == 2


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("a.csv", [], b"id,"),
        ("a.csv", ["--bom"], b"\xef\xbb\xbfid,"),
        ("a.parquet", [], b"PAR1"),
        ("a.csv", ["--format", "jsonl"], b"{"),
        ("a.txt", [], b"{"),
    ],
)
def test_a_files_name_says_its_format_unless_the_option_does(
    call: Call, tmp_path: Path, name: str, options: list[str], start: bytes
) -> None:
    assert call("export", "-o", str(tmp_path / name), *options).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_csv_for_spreadsheets_begins_with_a_mark(call: Call) -> None:
    exported = call("export", "--format", "csv", "--bom").stdout_bytes
    status = call("status", "--csv", "--bom").stdout_bytes
    assert (exported.startswith(b"\xef\xbb\xbfid,"), status.startswith(b"\xef\xbb\xbfsite,")) == (True, True)
    assert exported.removeprefix(b"\xef\xbb\xbf") == call("export", "--format", "csv").stdout_bytes
