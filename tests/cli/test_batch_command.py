"""`newscrawl batch` as an operator sees it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_settings import give_settings

from newscrawl.cli.main import main

ROOT = Path(__file__).parents[2]

TEXT = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry. " * 9


@pytest.fixture
def archive(tmp_path):
    body = f"<title>The ferry</title><main><h1>The ferry</h1><p>{TEXT}</p></main>".encode()
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://www.elpais.com/2026/ferry\r\n"
        f"WARC-Date: 2026-11-01T12:00:00Z\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    path = tmp_path / "news.warc.gz"
    path.write_bytes(gzip.compress(head.encode() + block + b"\r\n\r\n"))
    return path


def test_parts_are_made_once_and_an_incomplete_archive_ends_with_exit_code_1(run, archive, tmp_path):
    parts = str(tmp_path / "parts")
    done = run("newscrawl", "batch", "--files-from", "-", "--to", parts, stdin=f"# list\n{archive}\n".encode())
    assert done.returncode == 0, done.stderr
    assert "1 of 1" in done.stdout
    assert "all parts were made before" in run("newscrawl", "batch", str(archive), "--to", parts).stdout
    assert run("newscrawl", "ingest", parts).returncode == 0
    assert '"first_seen": "2026-11-01T12:00:00+00:00"' in run("newscrawl", "export", "--site", "elpais").stdout
    archive.write_bytes(archive.read_bytes()[:-20])
    broken = run("newscrawl", "batch", str(archive), "--to", str(tmp_path / "others"), "--workers", "1")
    assert broken.returncode == 1
    assert "warc/broken" in broken.stdout


@pytest.mark.process
@pytest.mark.parametrize(("name", "starts"), [("no/a.parquet", False), ("no/a.warc.gz", True)])
def test_the_processes_that_extract_are_not_started_for_parts(monkeypatch, tmp_path, name, starts):
    monkeypatch.chdir(ROOT)
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=f"sqlite:///{tmp_path}/news.db")
    started = []
    monkeypatch.setattr("newscrawl.cli.ingest.prepare", started.append)
    CliRunner().invoke(main, ["ingest", name], prog_name="newscrawl")
    assert bool(started) is starts
