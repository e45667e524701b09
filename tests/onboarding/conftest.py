"""A project for each test, sites on loopback, and commands run as an operator runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import warm
from patience import PATIENCE
from replicas import Replicas

from newscrawl.discovery.onboarding.project import make_project

ROOT = Path(__file__).resolve().parents[2]
MODULES = {"scrapy": "scrapy", "newscrawl": "newscrawl.cli", "ruff": "ruff"}
ADDRESSES = "127.0.0.1/32"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What `newscrawl new` writes."""
    folder = tmp_path / "project"
    make_project(folder)
    return folder


@pytest.fixture
def replicas() -> Iterator[Replicas]:
    """Sites on loopback."""
    with Replicas() as server:
        yield server


@pytest.fixture
def run(project: Path) -> Run:
    """`run("newscrawl", "add-site", URL)` in the project; the loopback address of the replicas is allowed."""

    def run(*command: str, cwd: Path = project, **environment: str) -> subprocess.CompletedProcess[str]:
        done = warm.run(
            [sys.executable, "-m", MODULES[command[0]], *command[1:]],
            cwd=cwd,
            env={
                **os.environ,
                "PYTHONPATH": f"{cwd}{os.pathsep}{ROOT}",
                "NEWSCRAWL_ALLOWED_ADDRESSES": ADDRESSES,
                "NEWSCRAWL_DELAY": "0",
                **environment,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run
