"""Runs commands as an operator does, in a process of their own or in this one, with the test's own database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import warm
from click.testing import CliRunner, Result
from command_settings import give_settings
from patience import PATIENCE

from newscrawl.cli.main import main
from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Article, Discovery, Metadata, ProcessedPage, RawPage

ROOT = Path(__file__).resolve().parents[2]
MODULES = {"scrapy": "scrapy", "newscrawl": "newscrawl.cli"}


def inherited() -> dict[str, str]:
    """This process's environment without what Scrapy put there when a test read a project's settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`run("newscrawl", "status", stdin=..., cwd=..., NEWSCRAWL_CHAIN=...)`."""

    def run(
        *command: str, stdin: bytes = b"", cwd: Path = ROOT, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        done = warm.run(
            [sys.executable, "-m", MODULES[command[0]], *command[1:]],
            cwd=cwd,
            env={**inherited(), "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db", **environment},
            input=stdin,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    return run


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """`call("status", "--json", NEWSCRAWL_RETENTION={...})` in this process and in the project."""
    monkeypatch.chdir(ROOT)

    def call(*command: object, stdin: bytes | str | None = None, **changed: object) -> Result:
        give_settings(monkeypatch, **{"NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db", **changed})
        return CliRunner().invoke(main, [str(word) for word in command], input=stdin, prog_name="newscrawl")

    return call


NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def made() -> Callable[..., ProcessedPage]:
    """`made(url, text, title, at=..., found=..., final_url=..., language="en", ...)`: a page with an article."""

    def made(
        url: str,
        text: str,
        title: str = "Ferry",
        *,
        at: datetime = NOW,
        found: Discovery | None = None,
        final_url: str | None = None,
        **stated: object,
    ) -> ProcessedPage:
        metadata = Metadata(**{"title": title, "language": "en", **stated})  # type: ignore[arg-type]
        raw = RawPage(url, final_url or url, 200, {}, None, at, "harbour", found)
        return fingerprint(ProcessedPage(raw, Article(url, "harbour", metadata, text, "classic", "article")))

    return made
