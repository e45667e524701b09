"""A process killed at any point of writing leaves readable files, and rows that point to existing records."""

from __future__ import annotations

import gzip
import os
import signal
import sys
from pathlib import Path

import fastwarc
import pytest
import warm

from newscrawl import reports
from newscrawl.archive.read import Archived, groups, load
from newscrawl.archive.recover import recover
from newscrawl.model import is_object_store
from newscrawl.storage.captures import locations
from newscrawl.storage.store import open_store
from newscrawl.workers.processes import failpoints

CHILD = Path(__file__).parents[1] / "support" / "archive_child.py"
PAGES = 40


def run(database, folder, failpoint=None, *, file_bytes=3_000, most=0, forget=None, objects=None, move=False):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NEWSCRAWL_")}
    if failpoint:
        environment["NEWSCRAWL_FAILPOINT"] = failpoint
    if forget:
        environment["FORGET"] = forget
    if objects is not None:
        environment["OBJECTS"] = str(objects)
    if move:
        environment["MOVE"] = "yes"
    command = [sys.executable, str(CHILD), database, str(folder), str(PAGES), str(file_bytes), str(most)]
    done = warm.told(command, env=environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def pointers_and_bytes(database, folder):
    """Every row's bytes can be read, and are those of its page; every whole capture on the disk has a row. The rows."""
    with open_store(database, upgrade=False) as store:
        recover(folder, store)  # what the next crawl that keeps a page begins with
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        files = {file.id: file for file in locations.files(connection)}
        assert {path.name for path in folder.iterdir()} == {file.name for file in files.values()}
        rows = [row for number in files for row in locations.captures_of_file(connection, number)]
    for row in rows:
        spot = row.capture.body
        page = load(Archived.of(row, folder, files[spot.file].name), 1 << 20)
        number = int(row.url.rpartition("/")[2])
        assert page.body == f"<p>Ferry number {number - (number % 5 == 1)} left the harbour. ".encode() * 20
    on_disk = set()
    for number, file in files.items():
        with (folder / file.name).open("rb") as opened:
            on_disk |= {(number, group.offset, group.length) for group in groups(opened)}
        with (folder / file.name).open("rb") as opened:
            assert all(record.verify_block_digest() for record in fastwarc.ArchiveIterator(opened, parse_http=False))
    spots = {spot for row in rows for spot in (row.capture.spot, row.capture.body)}
    assert {(spot.file, spot.offset, spot.length) for spot in spots} == on_disk
    return rows


def stored_urls(database):
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        return {url for article in reports.articles(connection) for url in article.pages}


@pytest.mark.parametrize(
    "name",
    [
        failpoints.ARCHIVE_HALF,
        failpoints.ARCHIVE_WRITTEN,
        failpoints.ARCHIVE_SYNCED,
        failpoints.ARCHIVE_ROTATED,
        failpoints.MID_TRANSACTION,
        failpoints.AFTER_COMMIT,
    ],
)
def test_after_a_kill_rows_and_bytes_agree_and_the_next_start_goes_on(database, store, folder, name):
    store.close()
    for hit in (1, 1, 2):
        assert run(database, folder, f"{name}:{hit}") == -signal.SIGKILL
    assert run(database, folder) == 0
    rows = pointers_and_bytes(database, folder)
    assert {row.url for row in rows} == stored_urls(database)
    assert len({row.url for row in rows}) == PAGES


def test_a_kill_before_the_end_is_put_in_order_by_looking_alone(database, store, folder):
    store.close()
    assert run(database, folder, f"{failpoints.ARCHIVE_SYNCED}:2") == -signal.SIGKILL
    with open_store(database, upgrade=False) as opened:
        assert recover(folder, opened) > 0
        assert recover(folder, opened) == 0
    pointers_and_bytes(database, folder)


def test_a_kill_while_old_files_go_leaves_no_row_that_points_to_nothing(database, store, folder):
    store.close()
    limits = {"file_bytes": 3_000, "most": 6_000}
    for hit in (1, 2):
        assert run(database, folder, f"{failpoints.ARCHIVE_DELETED}:{hit}", **limits) == -signal.SIGKILL
    assert run(database, folder, **limits) == 0
    rows = pointers_and_bytes(database, folder)
    assert 0 < len(rows) < PAGES
    assert len(stored_urls(database)) == PAGES


@pytest.mark.parametrize(
    "name", [failpoints.ARCHIVE_REWRITTEN, failpoints.ARCHIVE_REPLACED, failpoints.MID_TRANSACTION]
)
def test_a_kill_while_a_page_is_forgotten_forgets_it_all_the_same_when_asked_again(database, store, folder, name):
    store.close()
    assert run(database, folder, file_bytes=10**9) == 0
    address = "https://harbour.example/5"
    killed = run(database, folder, name, forget=address)
    assert killed == (0 if name == failpoints.MID_TRANSACTION else -signal.SIGKILL)
    assert run(database, folder, forget=address) == 0
    rows = pointers_and_bytes(database, folder)
    assert address not in {row.url for row in rows}
    assert len(rows) == PAGES - 1


@pytest.mark.parametrize("name", [failpoints.ARCHIVE_PUT, failpoints.ARCHIVE_MOVED])
def test_a_kill_between_the_store_and_the_row_loses_no_byte_and_leaves_no_row_without_bytes(
    database, store, folder, tmp_path, name
):
    store.close()
    objects = tmp_path / "objects"
    for hit in (1, 2):  # the second one when what the first left is moved
        assert run(database, folder, f"{name}:{hit}", objects=objects, move=hit == 2) == -signal.SIGKILL
        everything_is_somewhere(database, folder, objects)
    assert run(database, folder, objects=objects, move=True) == 0
    rows = everything_is_somewhere(database, folder, objects)
    assert {row.url for row in rows} == stored_urls(database)
    assert len({row.url for row in rows}) == PAGES
    assert list(folder.iterdir()) == []


def test_a_kill_while_old_objects_go_leaves_no_row_that_points_to_nothing(database, store, folder, tmp_path):
    store.close()
    objects, limits = tmp_path / "objects", {"file_bytes": 3_000, "most": 14_000}
    assert run(database, folder, failpoints.ARCHIVE_DELETED, objects=objects, **limits) == -signal.SIGKILL
    assert run(database, folder, objects=objects, move=True, **limits) == 0
    rows = everything_is_somewhere(database, folder, objects)
    assert 0 < len(rows) < PAGES
    with open_store(database, upgrade=False) as opened, opened.reading() as connection:
        assert {path.name for path in objects.iterdir()} == {file.name for file in locations.files(connection)}


@pytest.mark.parametrize("name", [failpoints.ARCHIVE_REWRITTEN, failpoints.ARCHIVE_REPLACED])
def test_a_kill_while_an_object_is_rewritten_forgets_the_page_all_the_same_when_asked_again(
    database, store, folder, tmp_path, name
):
    store.close()
    objects = tmp_path / "objects"
    assert run(database, folder, file_bytes=10**9, objects=objects) == 0
    address = "https://harbour.example/5"
    assert run(database, folder, name, forget=address, objects=objects) == -signal.SIGKILL
    assert run(database, folder, forget=address, objects=objects) == 0
    rows = everything_is_somewhere(database, folder, objects)
    assert address not in {row.url for row in rows}
    assert len(rows) == PAGES - 1
    assert len(list(objects.iterdir())) == 1
    assert b"harbour.example/5\r\n" not in b"".join(gzip.decompress(path.read_bytes()) for path in objects.iterdir())


def everything_is_somewhere(database, folder, objects):
    """The bytes of every row are where the row says, and are those of its page. The rows."""
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        files = {file.id: file for file in locations.files(connection)}
        rows = [row for number in files for row in locations.captures_of_file(connection, number)]
    for row in rows:
        file = files[row.capture.body.file]
        place = objects if is_object_store(file.machine) else folder
        number = int(row.url.rpartition("/")[2])
        text = f"<p>Ferry number {number - (number % 5 == 1)} left the harbour. "
        assert load(Archived.of(row, place, file.name), 1 << 20).body == text.encode() * 20
    return rows


def test_a_torn_tail_at_any_byte_is_cut_off_and_all_before_it_stays(database, store, folder, crawl, keeper, raw):
    crawl(keeper, store, [raw(0), raw(1)])
    keeper.close()
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    with path.open("rb") as file:
        first, second = groups(file)
    for end in range(second.offset + 1, len(whole), 211):
        torn = path.with_name(path.name + ".open")
        path.unlink(missing_ok=True)
        torn.write_bytes(whole[:end])
        with store.reading() as connection:
            (known,) = locations.files(connection)
        store.run(_forget_row, known.id, second.offset).result()
        recover(folder, store)
        assert path.read_bytes() == whole[: first.offset + first.length]


def _forget_row(connection, file_id, offset):
    table = locations.captures
    connection.execute(table.delete().where(table.c.file_id == file_id, table.c.offset == offset))
