"""`newscrawl review`, and the output of other commands about pages that wait for review."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from newscrawl.identity import content_hash, identity_key, url_key
from newscrawl.model import Article, Doubt, Failure, Metadata, ProcessedPage, PublishedDate, RawPage
from newscrawl.storage.store import open_store

Run = Callable[..., subprocess.CompletedProcess[str]]

SITE = "https://harbour.example"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def article(url: str, text: str) -> Article:
    metadata = Metadata(title="The ferry", authors=("A. Writer",), published=PublishedDate(NOW, "json-ld", "second"))
    hashes = {"content_hash": content_hash(text), "identity_key": identity_key(text, url_key(url), 300)}
    return Article(url, "harbour", metadata, text, "classic", "article", **hashes)


@pytest.fixture
def queued(tmp_path: Path) -> None:
    """Two pages wait for review, one of them without any text."""
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        for name in ("ferry", "empty"):
            url = f"{SITE}/{name}"
            made = article(url, "The new ferry came. " * 60) if name == "ferry" else Failure("extraction/empty", "none")
            doubt = Doubt(("text collapsed",), made, needs_review=True)
            found = {"article": made} if isinstance(made, Article) else {"failure": made}
            page = ProcessedPage(RawPage(url, url, 200, {}, None, NOW, "harbour"), doubt=doubt, **found)
            assert store.save(page).result().kind == "held_for_review"


@pytest.mark.usefixtures("queued")
def test_what_waits_for_review_is_listed_with_its_reasons_and_released(run: Run) -> None:
    shown = run("newscrawl", "review", "list").stdout
    assert f"{SITE}/ferry  1200 characters: text collapsed" in shown
    assert "extraction/empty" in shown
    assert "harbour: 2 pages wait for review" in shown
    assert run("newscrawl", "review").stdout == shown
    [status] = json.loads(run("newscrawl", "status", "--json").stdout)
    assert (status["in_review"], status["articles"]) == (2, 0)
    assert "held for review since" in run("newscrawl", "why", f"{SITE}/ferry").stdout
    done = run("newscrawl", "review", "release", f"{SITE}/ferry")
    assert done.stdout == "released 1 page\n"
    [told] = map(json.loads, run("newscrawl", "export").stdout.splitlines())
    assert (told["title"], told["authors"], told["published"][:10]) == ("The ferry", ["A. Writer"], "2026-11-21")
    done = run("newscrawl", "review", "release", "--site", "harbour")
    assert "1 had no text at all" in done.stdout


def test_a_release_of_nothing_says_what_to_name(run: Run) -> None:
    assert run("newscrawl", "review", "list").stdout == "nothing waits for review\n"
    done = run("newscrawl", "review", "release")
    assert (done.returncode, "--site NAME" in done.stderr) == (2, True)
