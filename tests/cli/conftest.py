"""Runs commands as an operator does: in a process of their own, with the test's own database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import warm
from patience import PATIENCE

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
