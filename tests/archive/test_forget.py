"""A forgotten page is in no file of the archive. All other records stay in their place, or where their rows say."""

from __future__ import annotations

import gzip

import pytest
from kinds_of_databases import ON_BOTH

from newscrawl.archive.read import Archived, load
from newscrawl.archive.recover import recover
from newscrawl.archive.remove import Left, forget
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.storage.captures import archive_files, locations

pytestmark = ON_BOTH


def rows_of(store):
    with store.reading() as connection:
        files = {file.id: file.name for file in locations.files(connection)}
        return files, [row for number in files for row in locations.captures_of_file(connection, number)]


def bodies_of(store, folder):
    files, rows = rows_of(store)
    found = {}
    for row in rows:
        found[row.url] = load(Archived.of(row, folder, files[row.capture.body.file]), 1 << 20).body
    return found


def everything_on_disk(folder):
    return b"".join(gzip.decompress(path.read_bytes()) for path in folder.iterdir())


def test_a_forgotten_page_is_in_no_file_and_the_others_are_read_as_before(crawled, keeper, store, folder, raw):
    crawled([raw(number) for number in range(4)])
    crawled([raw(1, status=304, body=None, fetched_at=raw(9).fetched_at)])
    keeper.close()
    done = forget(store, ArchiveSettings(folder), [raw(1).url])
    assert (done.captures, done.rewritten, done.left) == (2, 1, ())
    assert bodies_of(store, folder) == {raw(n).url: raw(n).body for n in (0, 2, 3)}
    assert b"bridge-1" not in everything_on_disk(folder)
    assert forget(store, ArchiveSettings(folder), [raw(1).url]).rewritten == 0


def test_bytes_that_another_page_has_as_well_stay_under_its_name(crawled, keeper, store, folder, raw):
    twin = raw(1, body=raw(0).body)
    crawled([raw(0)])
    crawled([twin])
    keeper.close()
    assert forget(store, ArchiveSettings(folder), [raw(0).url]).captures == 1
    assert bodies_of(store, folder) == {twin.url: raw(0).body}
    assert b"bridge-0" not in everything_on_disk(folder)
    assert forget(store, ArchiveSettings(folder), [twin.url]).captures == 1
    assert bodies_of(store, folder) == {}
    assert b"bridge" not in everything_on_disk(folder).lower()


@pytest.mark.parametrize("nothing", [{}, {"urls": ["https://elsewhere.example/1"]}, {"site": "elsewhere"}])
def test_forgetting_what_is_not_there_changes_nothing(crawled, keeper, store, folder, raw, nothing):
    crawled([raw(0)])
    keeper.close()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert forget(store, ArchiveSettings(folder), **nothing).rewritten == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_every_file_that_cannot_be_opened_is_named(crawled, keeper, store, folder, raw, tmp_path):
    crawled([raw(0)])
    keeper.close()
    (name,) = rows_of(store)[0].values()
    (folder / name).rename(tmp_path / name)
    done = forget(store, ArchiveSettings(folder), [raw(1).url])  # nobody knows what the file holds
    assert (done.rewritten, done.files_left("missing")) == (0, (name,))
    folder.rmdir()
    assert forget(store, ArchiveSettings(folder), [raw(0).url]).files_left("missing") == (name,)
    assert forget(store, None, [raw(0).url]).files_left("missing") == (name,)
    folder.mkdir()
    (tmp_path / name).rename(folder / name)
    done = forget(store, ArchiveSettings(folder), [raw(0).url])
    assert (done.captures, done.left) == (1, ())


def test_a_deleted_file_that_is_not_here_stays_known_where_machines_share_a_database(
    crawled, keeper, store, folder, raw, database, now
):
    crawled([raw(0)])
    keeper.close()
    files, _ = rows_of(store)
    ((number, name),) = files.items()
    store.run(archive_files.delete_file, number, now).result()
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    recover(elsewhere, store)
    shared = database.startswith("postgresql")
    assert rows_of(store)[0] == (files if shared else {})
    done = forget(store, ArchiveSettings(elsewhere), [raw(0).url])
    assert done.left == ((Left(name, "unconfirmed"),) if shared else ())
    recover(folder, store)
    assert rows_of(store)[0] == {}
    assert (folder / name).exists() is not shared
