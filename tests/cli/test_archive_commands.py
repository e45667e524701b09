"""`newscrawl ingest` and `batch` as an operator sees them."""

from __future__ import annotations

import gzip
import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from warc_files import page_record

pytestmark = pytest.mark.process

TEXT = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry. " * 9


@pytest.fixture
def archive(tmp_path):
    return archived(tmp_path, f"<title>The ferry</title><main><h1>The ferry</h1><p>{TEXT}</p></main>")


def archived(tmp_path, page):
    path = tmp_path / "news.warc.gz"
    path.write_bytes(gzip.compress(page_record("https://www.elpais.com/2026/ferry", page.encode())))
    return path


def test_an_archive_is_ingested_once_and_the_table_says_what_came_of_it(call, archive):
    done = call("ingest", str(archive))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "articles stored" in done.stdout
    exported = call("export", "--site", "elpais")
    assert '"first_seen": "2026-11-01T12:00:00+00:00"' in exported.stdout
    assert "everything was ingested before" in call("ingest", str(archive)).stdout


def test_a_page_that_is_one_of_several_is_stored_with_that_problem(call, tmp_path):
    pager = '<p class="pager"><a href="?page=2">2</a> <a href="?page=3">3</a></p>'
    page = f"<title>The ferry</title><main><h1>The ferry</h1><p>{TEXT}</p>{pager}</main>"
    assert call("ingest", str(archived(tmp_path, page))).exit_code == 0
    problem = "partial: page 1 of 3 or more"
    assert f"problem: {problem}" in call("why", "https://www.elpais.com/2026/ferry").stdout
    with closing(sqlite3.connect(tmp_path / "news.db")) as database:
        ((problems,),) = database.execute("SELECT problems FROM versions").fetchall()
    assert json.loads(problems) == [problem]
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    page_url = ("--url", "https://www.elpais.com/2026/ferry")
    extracted = call("extract", "--json", *page_url, str(tmp_path / "page.html"))
    assert json.loads(extracted.stdout)["problems"] == [problem]


def test_a_damaged_archive_ends_with_exit_code_1_and_says_what_was_lost(call, archive):
    archive.write_bytes(archive.read_bytes() + archive.read_bytes()[:-20])
    done = call("ingest", str(archive))
    assert done.exit_code == 1
    assert "warc/broken" in done.stdout


def test_the_files_with_bad_records_are_named_with_the_place_and_the_reason(call, archive, tmp_path):
    damaged, undated, whole = tmp_path / "damaged.warc.gz", tmp_path / "undated.warc", archive.read_bytes()
    damaged.write_bytes(whole + whole[:-20] + whole + whole[:40])
    undated.write_bytes(gzip.decompress(whole).replace(b"2026-11-01T12:00:00Z", b"some day"))
    done = call("ingest", str(archive), str(damaged), str(undated))
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    (of_damaged,) = (line for line in lines if line.startswith(f"{damaged}: "))
    assert f": 2 bad records, the first at byte {len(whole):,}: " in of_damaged
    assert of_damaged.endswith("(warc/broken)")
    assert f"{undated}: 1 bad record, the first at byte 0: its WARC-Date is missing or no time (warc/broken)" in lines
    assert str(archive) not in done.stdout


def test_the_table_says_which_pages_are_of_unknown_age(call, archive, tmp_path):
    whole = gzip.decompress(archive.read_bytes())
    future = whole.replace(b"2026-11-01T12", b"2099-11-01T12").replace(b"/ferry", b"/later")
    archive.write_bytes(archive.read_bytes() + gzip.compress(future))
    page = tmp_path / "old.html"
    page.write_bytes(whole[whole.index(b"<title>") :].replace(b"harbour town", b"mountain town"))
    os.utime(page, (0, 0))
    done = call("ingest", str(archive), str(page))
    assert done.exit_code == 0
    assert re.search(r"of unknown age \(time_unknown\) +│ +2 ", done.stdout)
    assert "1970" not in call("export").stdout
    assert "1970" not in call("search", "mountain").stdout


ROOT = Path(__file__).parents[2]


def test_parts_are_made_once_and_an_incomplete_archive_ends_with_exit_code_1(call, archive, tmp_path):
    parts = str(tmp_path / "parts")
    done = call("batch", "--files-from", "-", "--to", parts, stdin=f"# list\n{archive}\n".encode())
    assert done.exit_code == 0, done.stderr
    assert "1 of 1" in done.stdout
    assert "all parts were made before" in call("batch", str(archive), "--to", parts).stdout
    assert call("ingest", parts).exit_code == 0
    assert '"first_seen": "2026-11-01T12:00:00+00:00"' in call("export", "--site", "elpais").stdout
    archive.write_bytes(archive.read_bytes()[:-20])
    broken = call("batch", str(archive), "--to", str(tmp_path / "others"), "--workers", "1")
    assert broken.exit_code == 1
    assert "warc/broken" in broken.stdout


@pytest.mark.process
@pytest.mark.parametrize(("name", "starts"), [("no/a.parquet", False), ("no/a.warc.gz", True)])
def test_the_processes_that_extract_are_not_started_for_parts(call, monkeypatch, name, starts):
    started = []
    monkeypatch.setattr("newscrawl.cli.ingest.prepare", started.append)
    call("ingest", name)
    assert bool(started) is starts
