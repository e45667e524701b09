"""The whole work: `scrapy crawl demo`, twice, as an operator runs it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
import warm
from demo_expected import Expected, expectations
from docs_pages import commands
from patience import PATIENCE

from docs._scripts.demo_picture import OUTPUT

ROOT = Path(__file__).resolve().parents[2]
DIFFERS = ("┌", "└", "│ seconds", "│ compiled core")
"""Lines of the table that depend on the machine."""
CRAWL = ["scrapy", "crawl", "demo"]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a command of the project on a database of this module's own."""
    database = tmp_path_factory.mktemp("demo") / "demo.db"
    environment = {**os.environ, "NEWSCRAWL_DATABASE_URL": f"sqlite:///{database}"}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        module = {"scrapy": "scrapy", "newscrawl": "newscrawl.cli"}[command[0]]
        return warm.run(
            [sys.executable, "-m", module, *command[1:]],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    return run


@pytest.fixture(scope="module")
def first(run: Run) -> subprocess.CompletedProcess[str]:
    """The first crawl."""
    return run(*CRAWL)


@pytest.fixture(scope="module")
def exported(run: Run, first: subprocess.CompletedProcess[str]) -> Mapping[str, Any]:
    """Articles after the first crawl, by every address that shows them."""
    rows = [json.loads(line) for line in run("newscrawl", "export").stdout.splitlines()]
    return {url: row for row in rows for url in row["pages"]}


@pytest.fixture(scope="module")
def expected() -> Mapping[str, Expected]:
    return expectations()


def test_the_crawl_ends_with_a_table_and_what_to_type_next(first: subprocess.CompletedProcess[str]) -> None:
    assert first.returncode == 0, first.stderr
    assert "Traceback" not in first.stderr
    labels = ("articles stored", "duplicates suppressed", "fallbacks used", "refused by robots.txt", "gone (404, 410)")
    for label in (*labels, "http/500 (intended)", "http/500 is intended:", "newest headline", "compiled core"):
        assert label in first.stdout
    assert "newscrawl status" in first.stdout


def test_the_picture_in_the_readme_shows_what_the_crawl_prints(first: subprocess.CompletedProcess[str]) -> None:
    shown = OUTPUT.read_text(encoding="utf-8").splitlines()
    printed = first.stdout.splitlines()[: len(shown)]
    for line, known in zip(printed, shown, strict=True):
        if not known.startswith(DIFFERS):
            assert line.split() == known.split()


def test_every_article_is_stored_with_its_text_and_its_statements(
    exported: Mapping[str, Any], expected: Mapping[str, Expected]
) -> None:
    for url, story in expected.items():
        if story.kind != "article":
            continue
        stored = exported[url]
        assert stored["text"] == story.text, url
        assert stored["language"] == story.language, url
        # An article speaks by the page that showed it first; of a reprint and its original either may be that.
        first = expected[stored["url"]]
        assert stored["title"] == first.title, url
        assert stored["authors"] == list(first.authors), url
        if first.published is not None:
            assert stored["published"] == first.published.astimezone(UTC).isoformat(), url
        if story.extractor:
            assert stored["extractor"] == story.extractor, url


def test_a_text_is_one_article_however_many_addresses_show_it(
    exported: Mapping[str, Any], expected: Mapping[str, Expected]
) -> None:
    duplicates = [story for story in expected.values() if story.kind == "duplicate"]
    assert duplicates
    for story in duplicates:
        assert story.same_as is not None
        assert exported[story.url]["id"] == exported[story.same_as]["id"], story.url


def test_what_is_no_article_is_not_stored(exported: Mapping[str, Any], expected: Mapping[str, Expected]) -> None:
    for url, story in expected.items():
        if story.kind not in {"article", "duplicate"}:
            assert url not in exported


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", "http/404"),
        ("failing", "http/500"),
        ("not_text", "content/not_html"),
        ("forbidden", "robots/forbidden"),
    ],
)
def test_why_tells_what_became_of_an_address(
    run: Run, first: subprocess.CompletedProcess[str], expected: Mapping[str, Expected], kind: str, words: str
) -> None:
    url = next(story.url for story in expected.values() if story.kind == kind)
    told = run("newscrawl", "why", url)
    assert told.returncode == 0
    assert words in told.stdout


def test_status_counts_what_was_stored(run: Run, exported: Mapping[str, Any]) -> None:
    (status,) = json.loads(run("newscrawl", "status", "--json").stdout)
    assert status["site"] == "demo"
    assert status["articles"] == len({row["id"] for row in exported.values()})
    assert status["duplicates"] > 0
    assert status["fallback_share"] > 0
    assert status["pending"] == 0
    assert status["failures"] == {"content/not_html": 1, "http/500": 1}
    assert (status["failed"], status["gone"], status["refused"]) == (2, 1, 1)
    assert "demo" in run("newscrawl", "status").stdout


@pytest.mark.usefixtures("first")
def test_the_console_examples_of_the_docs_run(run: Run, tmp_path: Path) -> None:
    """Each crawl of theirs is one that this module does."""
    shown = commands("console")
    assert CRAWL in shown
    for words in shown:
        if words != CRAWL:
            done = run(*(str(tmp_path / word) if word.endswith(".jsonl") else word for word in words))
            assert done.returncode == 0, (words, done.stderr)
    assert (tmp_path / "news.jsonl").stat().st_size > 0


def test_csv_has_the_same_articles(run: Run, exported: Mapping[str, Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(run("newscrawl", "export", "--format", "csv").stdout, newline="")))
    assert {row["id"] for row in rows} == {str(row["id"]) for row in exported.values()}


def test_a_second_crawl_stores_nothing_twice_and_downloads_nothing_unchanged(
    run: Run, exported: Mapping[str, Any]
) -> None:
    again = run(*CRAWL)
    assert again.returncode == 0, again.stderr
    lines = {
        line.split("│")[1].strip(): line.split("│")[2].strip() for line in again.stdout.splitlines() if "│" in line
    }
    assert lines["articles stored"] == lines["duplicates suppressed"] == lines["pages fetched"] == "0"
    # Every answer: the robots.txt that the first crawl stored is still good, and nobody asks for it.
    assert int(lines["unchanged, not downloaded again"]) == int(lines["requests answered"]) > 0
    assert run("newscrawl", "export").stdout.count("\n") == len({row["id"] for row in exported.values()})
