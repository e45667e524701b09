"""Every fetched page is archived once, in files that tools for web archives can read."""

from __future__ import annotations

import os
import sqlite3

import pytest
import warcio
from patience import PATIENCE
from sqlalchemy.exc import OperationalError
from warcio.checker import Checker

from newscrawl.archive.files import OpenFile
from newscrawl.archive.read import Archived, load
from newscrawl.archive.retention import ArchiveBudget
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.errors import ArchiveError, DatabaseLocked
from newscrawl.publishing.search import open_index
from newscrawl.storage.backup import back_up, restore
from newscrawl.storage.captures import locations
from newscrawl.storage.captures.locations import Selection
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.machines import RunLock
from newscrawl.storage.store import open_store


def everything(store):
    with store.reading() as connection:
        found = []
        for file in locations.files(connection):
            found += locations.captures_of_file(connection, file.id)
        return found


def the_file(folder):
    (path,) = folder.glob("*.warc.gz")
    return path


def page_of(store, folder, one):
    with store.reading() as connection:
        names = {file.id: file.name for file in locations.files(connection)}
    return load(Archived.of(one, folder, names[one.capture.body.file]), 1 << 20)


def test_a_page_comes_back_as_it_was_fetched(crawled, keeper, store, folder, raw):
    crawled([raw(number) for number in range(5)])
    keeper.close()
    rows = everything(store)
    assert len(rows) == 5
    for number, row in enumerate(rows):
        page = page_of(store, folder, row)
        assert (page.url, page.final_url, page.status, page.site) == (raw(number).url, raw(number).url, 200, "harbour")
        assert page.body == raw(number).body
        assert page.fetched_at == raw(number).fetched_at
        assert page.headers["content-type"] == "text/html; charset=utf-8"


def test_warcio_reads_the_file_and_finds_every_digest_right(crawled, keeper, folder, raw):
    crawled([raw(0), raw(1)])
    crawled([raw(0, fetched_at=raw(9).fetched_at)])
    keeper.close()
    with the_file(folder).open("rb") as file:
        records = [
            (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
            for record in warcio.ArchiveIterator(file, check_digests="raise")
        ]
    assert [kind for kind, _, _ in records] == [
        "warcinfo",
        *["response", "request", "metadata"] * 2,
        "revisit",
        "request",
        "metadata",
    ]
    assert records[1][1:] == (raw(0).url, raw(0).body)
    assert b"user-agent: newscrawl/test" not in records[2][2]  # that is a header, and this the block's content


def test_warcios_own_checker_has_no_complaint(crawled, keeper, folder, raw, capsys):
    crawled([raw(0), raw(1), raw(0, fetched_at=raw(9).fetched_at)])
    keeper.close()
    options = type("Options", (), {"inputs": [str(the_file(folder))], "verbose": True})()
    checker = Checker(options)
    checker.process_all()
    assert checker.exit_value == 0
    assert "fail" not in capsys.readouterr().out.lower()


def test_headers_that_no_longer_hold_are_kept_under_another_name(crawled, keeper, folder, raw):
    crawled([raw(0)])
    keeper.close()
    with the_file(folder).open("rb") as file:
        answers = [record for record in warcio.ArchiveIterator(file) if record.rec_type == "response"]
        headers = answers[0].http_headers
    assert headers.get_header("Content-Encoding") is None
    assert headers.get_header("X-Archive-Orig-content-encoding") == "gzip"
    assert headers.get_header("Content-Length") == str(len(raw(0).body))


@pytest.mark.parametrize("together", [True, False])
def test_the_same_bytes_are_written_once_and_the_second_capture_points_to_the_first(crawled, store, raw, together):
    first = raw(0)
    other = raw(1, body=first.body)
    again = raw(0, fetched_at=raw(9).fetched_at)
    if together:
        crawled([first, other, again])
    else:
        for page in (first, other, again):
            crawled([page])
    one, two, three = everything(store)
    assert one.capture.kind == "response"
    assert two.capture.kind == three.capture.kind == "revisit"
    assert one.capture.body == two.capture.body == three.capture.body == one.capture.spot
    assert two.capture.spot.length < one.capture.spot.length


def test_a_304_is_a_revisit_of_the_pages_latest_capture(crawled, keeper, store, folder, raw):
    crawled([raw(0)])
    unchanged = raw(0, status=304, body=None, fetched_at=raw(9).fetched_at)
    crawled([unchanged])
    keeper.close()
    capture = everything(store)[1].capture
    assert capture.kind == "revisit"
    assert capture.body == everything(store)[0].capture.spot
    with the_file(folder).open("rb") as file:
        (revisit,) = [record for record in warcio.ArchiveIterator(file) if record.rec_type == "revisit"]
    headers = revisit.rec_headers
    assert headers.get_header("WARC-Profile").endswith("/server-not-modified")
    assert headers.get_header("WARC-Refers-To-Target-URI") == raw(0).url
    assert headers.get_header("WARC-Refers-To-Date") == "2026-11-21T12:00:00.000000Z"


def test_a_304_of_a_page_that_the_archive_never_had_is_kept_without_a_body(keeper, raw):
    capture = keeper.keep(raw(0, status=304, body=None)).result(timeout=PATIENCE)
    assert (capture.kind, capture.body) == ("revisit", None)


def test_a_header_with_line_breaks_cannot_forge_a_record(crawled, keeper, store, folder, raw):
    forged = {"x": "a\r\n\r\nWARC/1.1\r\nWARC-Type: response"}
    crawled([raw(0, headers=forged), raw(1)])
    keeper.close()
    with the_file(folder).open("rb") as file:
        kinds = [record.rec_type for record in warcio.ArchiveIterator(file)]
    assert kinds == ["warcinfo", *["response", "request", "metadata"] * 2]
    assert page_of(store, folder, everything(store)[0]).body == raw(0).body


def test_over_its_budget_the_oldest_files_go_and_their_rows_before_them(store, folder, raw, crawl):
    small = ArchiveWriter(ArchiveSettings(folder, file_bytes=1, budget=ArchiveBudget(bytes=3_000)), store)
    for number in range(6):
        crawl(small, store, [raw(number)])
    small.close()
    rows = everything(store)
    assert 0 < len(rows) < 6
    assert rows[-1].url == raw(5).url
    for row in rows:
        assert page_of(store, folder, row).body is not None
    with store.reading() as connection:
        assert {file.name for file in locations.files(connection)} == {path.name for path in folder.iterdir()}


def test_an_archive_that_cannot_be_written_says_so_and_goes_on_when_it_can(store, tmp_path, raw):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    keeper = ArchiveWriter(ArchiveSettings(blocked), store)
    with pytest.raises(ArchiveError, match="cannot create the archive folder"):
        keeper.keep(raw(0)).result(timeout=PATIENCE)
    blocked.unlink()
    assert keeper.keep(raw(0)).result(timeout=PATIENCE).kind == "response"
    keeper.close()


def test_captures_are_selected_by_site_and_time(crawled, store, raw):
    crawled([raw(number) for number in range(3)])
    with store.reading() as connection:
        assert locations.count(connection, Selection(site="harbour")) == 3
        assert locations.count(connection, Selection(site="elsewhere")) == 0
        assert locations.count(connection, Selection(since=raw(1).fetched_at)) == 2
        assert locations.count(connection, Selection(until=raw(1).fetched_at)) == 1
        first = locations.part(connection, Selection(), locations.BEGIN, 2)
        last = first[-1].capture.spot
        rest = locations.part(connection, Selection(), (last.file, last.offset), 2)
    assert [one.url for one in (*first, *rest)] == [raw(number).url for number in range(3)]


def test_a_database_that_refuses_is_not_told_as_the_archives_disk(database, folder, raw, monkeypatch):
    def locked(*_):
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError("", {}, error)

    add_file = locations.add_file
    monkeypatch.setattr(locations, "add_file", locked)
    retry = RetryPolicy(attempts=2, first_pause=0.01)
    with open_store(database, upgrade=False, max_wait=0.02, retry=retry) as store:
        keeper = ArchiveWriter(ArchiveSettings(folder), store)
        with pytest.raises(DatabaseLocked, match="cannot write to database"):
            keeper.keep(raw(0)).result(timeout=PATIENCE)
        monkeypatch.setattr(locations, "add_file", add_file)
        assert keeper.keep(raw(0)).result(timeout=PATIENCE).kind == "response"
        keeper.close()


def test_a_new_file_that_another_process_deletes_before_it_is_locked_is_not_written_to(tmp_path, monkeypatch, now):
    path = tmp_path / "a.warc.gz.open"
    monkeypatch.setattr("fcntl.flock", lambda _file, _how: path.unlink())
    with pytest.raises(FileNotFoundError):
        OpenFile.begin(tmp_path, "a.warc.gz", now, "newscrawl")


@pytest.fixture
def _usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_usual_umask", "real_upgrade")
def test_other_users_read_neither_database_nor_copies_nor_archive(tmp_path, crawl, raw):
    folder = tmp_path / "data"
    folder.mkdir()
    url, copy = f"sqlite:///{folder / 'news.db'}", folder / "copy.db"
    modes = {}
    with RunLock(url), open_store(url, upgrade=True, max_wait=0.02) as store:
        keeper = ArchiveWriter(ArchiveSettings(folder / "news.archive"), store)
        crawl(keeper, store, [raw(1)])
        search = open_index(url)
        modes = {path.name: path.stat().st_mode & 0o777 for path in folder.rglob("*")}
        keeper.close()
    search.close()
    back_up(url, copy)
    restore(f"sqlite:///{folder / 'restored.db'}", copy)
    modes |= {path.name: path.stat().st_mode & 0o777 for path in folder.rglob("*")}
    assert {name for name in modes if "warc" not in name} == {
        "news.archive", "news.db", "news.db-wal", "news.db-shm", "news.db.lock", "news.db-search", "news.db-search-wal",
        "news.db-search-shm", "copy.db", "restored.db", "restored.db.lock",
    }  # fmt: skip
    assert sum("warc" in name for name in modes) == 2
    assert {oct(mode) for name, mode in modes.items() if name != "news.archive"} == {"0o640"}
    assert oct(modes["news.archive"]) == "0o750"
