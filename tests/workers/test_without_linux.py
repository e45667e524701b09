"""What only Linux has is missing, as on macOS: /proc, and a limit on the address space of a process. Pages are read and
stored all the same."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from warc_files import page_record

WITHOUT = """
import builtins, errno, io, os, pathlib, resource

def refused(function):
    def call(path, *arguments, **names):
        if str(path).startswith(("/proc/", "/sys/")):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        return function(path, *arguments, **names)
    return call

def set_limit(kind, limits, set_limit=resource.setrlimit):
    if kind == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    set_limit(kind, limits)

resource.setrlimit = set_limit
builtins.open = io.open = refused(io.open)
for name in ("open", "readlink"):
    setattr(os, name, refused(getattr(os, name)))
"""
TEXT = "The ferry to the islands runs again from Monday, the harbour office said, after three weeks of storm."


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of a system that has none of it, for a command and its workers."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(tmp_path / "site")}


def run(environment: dict[str, str], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command of newscrawl to its end."""
    return subprocess.run(
        [sys.executable, "-m", "newscrawl.cli", *words],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_page_is_read_by_a_worker_and_stored(elsewhere: dict[str, str], tmp_path: Path) -> None:
    body = f"<html lang=en><title>Ferry</title><h1>Ferry</h1>{f'<p>{TEXT}</p>' * 8}".encode()
    page = page_record("https://harbour.example/2026/ferry", body)
    (tmp_path / "page.warc.gz").write_bytes(gzip.compress(page))
    database = ("--database", f"sqlite:///{tmp_path}/news.db")
    stored = run(elsewhere, tmp_path, "ingest", "page.warc.gz", *database)
    assert stored.returncode == 0, stored.stderr
    exported = run(elsewhere, tmp_path, "export", *database, "--format", "jsonl")
    assert [json.loads(line)["title"] for line in exported.stdout.splitlines()] == ["Ferry"], exported.stderr


def test_doctor_answers_without_a_traceback(elsewhere: dict[str, str], tmp_path: Path) -> None:
    checked = run(elsewhere, tmp_path, "doctor")
    assert "Traceback" not in checked.stdout + checked.stderr
