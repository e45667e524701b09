"""Two machines with an archive each: each changes only its own files, and does what the other machine requests."""

from __future__ import annotations

import gzip
import os
import signal
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
import warm
from kinds_of_databases import ON_BOTH, ON_POSTGRESQL

from newscrawl.archive.files import only_one
from newscrawl.archive.places import FolderPlace
from newscrawl.archive.recover import recover
from newscrawl.archive.remove import Left, forget, remove_asked, take_over_files
from newscrawl.archive.retention import ArchiveBudget, keep_within
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.storage import machines
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.store import open_store
from newscrawl.workers.processes import failpoints

CHILD = Path(__file__).parents[1] / "support" / "archive_child.py"


@dataclass
class Place:
    """A machine: its name and its folder."""

    name: str
    folder: Path

    def archived(self, crawl, store, pages, *, file_bytes=10**6):
        """Crawls the pages and closes the archive."""
        keeper = ArchiveWriter(ArchiveSettings(self.folder, file_bytes, machine=self.name), store)
        for page in pages:
            crawl(keeper, store, [page])
        keeper.close()

    @property
    def settings(self):
        return ArchiveSettings(self.folder, machine=self.name)

    def forget(self, store, *urls, **named):
        return forget(store, self.settings, urls, **named)

    def work(self, store, now):
        return remove_asked(store, self.settings, now)

    def has(self, words: bytes) -> bool:
        return any(words in gzip.decompress(path.read_bytes()) for path in self.folder.iterdir())


@pytest.fixture
def anna(tmp_path):
    return Place("anna", tmp_path / "anna")


@pytest.fixture
def bert(tmp_path):
    return Place("bert", tmp_path / "bert")


def files_of(store):
    with store.reading() as connection:
        return locations.files(connection)


def holders(store):
    return {file.name: file.machine for file in files_of(store)}


def named(waiting):
    return [(machine.machine, machine.files, machine.removed_by) for machine in waiting]


def asked(store):
    with store.reading() as connection:
        return named(archive_files.waiting(connection))


def without_machine(connection):
    connection.exec_driver_sql("UPDATE archive_files SET machine = NULL")


@pytest.fixture
def canary(anna, bert, crawl, store, raw):
    """A page that is in both archives: the first text on anna, the second on bert. Bert has another page as well."""
    first, second = raw(1), raw(1, body=raw(7).body, fetched_at=raw(9).fetched_at)
    anna.archived(crawl, store, [first])
    bert.archived(crawl, store, [second, raw(2)])
    assert anna.has(b"bridge-1")
    assert bert.has(b"bridge-1")
    return first.url


@ON_POSTGRESQL
def test_files_without_a_machine_belong_to_the_one_that_finds_them(anna, bert, crawl, store, raw):
    anna.archived(crawl, store, [raw(0)])
    bert.archived(crawl, store, [raw(1)])
    before = holders(store)
    store.run(without_machine).result()
    recover(anna.folder, store, "anna")
    assert sorted(map(str, holders(store).values())) == ["None", "anna"]
    take_over_files(store, bert.settings)
    assert holders(store) == before


@ON_POSTGRESQL
def test_the_disk_of_a_removed_machine_belongs_to_the_one_that_has_it_now(anna, bert, crawl, store, raw):
    anna.archived(crawl, store, [raw(0)])
    anna.folder.rename(bert.folder)
    take_over_files(store, bert.settings)
    assert list(holders(store).values()) == ["anna"], "a folder that two machines share is no reason"
    store.run(machines.remove, "anna", "olga").result()
    take_over_files(store, bert.settings)
    assert list(holders(store).values()) == ["bert"]


@ON_POSTGRESQL
def test_a_machine_deletes_only_its_own_files(anna, bert, crawl, store, raw, now):
    anna.archived(crawl, store, [raw(0)])
    shared = Place("bert", anna.folder)
    shared.archived(crawl, store, [raw(1)])
    for number in [file.id for file in files_of(store) if file.machine == "anna"]:
        store.run(archive_files.delete_file, number, now).result()
    recover(anna.folder, store, "bert")
    assert sorted(holders(store).values()) == ["anna", "bert"]
    assert len(list(anna.folder.iterdir())) == 2
    late = now + timedelta(days=9_000)
    assert keep_within(FolderPlace(anna.folder), store, ArchiveBudget(age=timedelta(days=1)), late, "carla") == 0
    recover(anna.folder, store, "anna")
    assert list(holders(store).values()) == ["bert"]


@ON_POSTGRESQL
def test_a_deleted_file_of_this_machine_is_gone_if_its_other_files_are_here(anna, crawl, store, raw, now):
    anna.archived(crawl, store, [raw(0)])
    anna.archived(crawl, store, [raw(1)])
    first = files_of(store)[0]
    store.run(archive_files.delete_file, first.id, now).result()
    (anna.folder / first.name).unlink()  # the machine lost its power before the row was removed
    recover(anna.folder, store, "anna")
    assert first.name not in holders(store)


@ON_BOTH
def test_no_forgotten_address_is_stored_with_the_request(anna, canary, store):
    anna.forget(store, canary)
    with store.reading() as connection:
        rows = [*connection.exec_driver_sql("SELECT * FROM forgotten")]
        rows += connection.exec_driver_sql("SELECT * FROM archive_removals")
    assert rows
    assert "harbour" not in str(rows)


@ON_BOTH
def test_a_site_is_forgotten_on_all_machines(anna, bert, crawl, store, raw, now):
    anna.archived(crawl, store, [raw(0)])
    bert.archived(crawl, store, [raw(1), raw(2, site="market")])
    assert named(anna.forget(store, site="harbour").waiting) == [("bert", 1, None)]
    assert bert.work(store, now).captures == 1
    assert not bert.has(b"bridge-1")
    assert bert.has(b"bridge-2")
    assert anna.forget(store, site="harbour").waiting == ()
    with store.reading() as connection:
        assert connection.exec_driver_sql("SELECT key_hashes FROM forgotten WHERE kind = 'site'").scalars().all() == [
            None
        ]


@ON_BOTH
def test_files_from_after_a_request_are_asked_for_only_if_the_page_is_in_them(
    anna, bert, canary, crawl, store, raw, now
):
    anna.forget(store, canary)
    bert.work(store, now)
    bert.archived(crawl, store, [raw(3)])
    assert anna.forget(store, canary).waiting == ()
    bert.archived(crawl, store, [raw(1, fetched_at=raw(11).fetched_at)])
    assert named(anna.forget(store, canary).waiting) == [("bert", 1, None)]
    bert.work(store, now)
    assert not bert.has(b"bridge-1")


@ON_BOTH
def test_what_is_asked_for_while_a_file_is_rewritten_is_done_later(anna, bert, crawl, store, raw, now, monkeypatch):
    def ask_for_more(reached):
        if reached == failpoints.ARCHIVE_REWRITTEN:
            anna.forget(store, raw(1).url)

    bert.archived(crawl, store, [raw(0), raw(1), raw(2)])
    anna.forget(store, raw(0).url)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("newscrawl.archive.rewrite.hit", ask_for_more)
        assert bert.work(store, now).captures == 1
    assert bert.has(b"bridge-1")
    assert asked(store) == [("bert", 1, None)]
    assert bert.work(store, now).captures == 1
    assert not bert.has(b"bridge-1")
    assert asked(store) == []


@ON_BOTH
def test_forget_does_what_this_machine_was_asked_to_as_well(bert, crawl, store, raw):
    keeper = ArchiveWriter(ArchiveSettings(bert.folder, machine="bert"), store)
    crawl(keeper, store, [raw(0), raw(1)])
    assert len(bert.forget(store, raw(0).url).files_left("busy")) == 1
    assert asked(store) == [("bert", 1, None)]
    keeper.close()
    assert bert.forget(store, raw(1).url).captures == 2
    assert asked(store) == []
    assert bert.forget(store, raw(0).url).waiting == ()


@ON_BOTH
def test_retention_leaves_a_folder_alone_in_which_a_page_is_being_removed(bert, crawl, store, raw, now):
    bert.archived(crawl, store, [raw(0)])
    late, budget = now + timedelta(days=9_000), ArchiveBudget(age=timedelta(days=1))
    with only_one(bert.folder, wait=True):
        assert keep_within(FolderPlace(bert.folder), store, budget, late, "bert") == 0
    assert keep_within(FolderPlace(bert.folder), store, budget, late, "bert") == 1


@ON_BOTH
def test_a_file_that_retention_deletes_needs_no_rewrite(anna, bert, canary, store, now):
    anna.forget(store, canary)
    late = now + timedelta(days=9_000)
    assert keep_within(FolderPlace(bert.folder), store, ArchiveBudget(age=timedelta(days=1)), late, "bert") == 2
    assert asked(store) == []


@ON_BOTH
def test_one_process_of_a_machine_does_the_work_at_a_time(anna, bert, canary, store, now):
    anna.forget(store, canary)
    with only_one(bert.folder, wait=True):
        assert bert.work(store, now).left == (Left(str(bert.folder), "locked"),)
    assert bert.work(store, now).confirmed == 1


@ON_POSTGRESQL
def test_files_that_no_machine_has_found_are_asked_for(anna, bert, canary, store, now):
    store.run(without_machine).result()
    found = anna.forget(store, canary)
    assert (named(found.waiting), len(found.files_left("missing"))) == ([(None, 1, None)], 1)
    assert bert.work(store, now).confirmed == 1
    assert asked(store) == []
    assert not bert.has(b"bridge-1")


@ON_BOTH
@pytest.mark.parametrize(
    "name", [failpoints.ARCHIVE_REWRITTEN, failpoints.ARCHIVE_REPLACED, failpoints.ARCHIVE_CONFIRMED]
)
def test_after_a_kill_the_next_start_does_the_rest(database, anna, bert, crawl, store, raw, now, name):
    bert.archived(crawl, store, [raw(1), raw(2)], file_bytes=1)
    canary = raw(1).url
    bert.archived(crawl, store, [raw(1, fetched_at=raw(9).fetched_at, body=raw(3).body)])
    assert named(anna.forget(store, canary).waiting) == [("bert", 3, None)]
    store.close()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NEWSCRAWL_")}
    environment |= {"NEWSCRAWL_FAILPOINT": name, "MACHINE": "bert"}
    command = [sys.executable, str(CHILD), database, str(bert.folder), "0", "0", "0"]
    done = warm.told(command, env=environment)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with open_store(database, upgrade=False, max_wait=0.02) as opened:
        assert asked(opened) != []
        bert.work(opened, now)
        assert asked(opened) == []
        assert {path.name for path in bert.folder.iterdir()} == set(holders(opened))
    assert bert.has(b"bridge-2")
    assert not bert.has(b"bridge-1")
