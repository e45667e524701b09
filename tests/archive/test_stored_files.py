"""Archive files in an object store that several machines share: moved, searched, rewritten, limited and extracted."""

from __future__ import annotations

import gzip
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from kinds_of_databases import ON_BOTH
from obstore.store import LocalStore
from patience import PATIENCE
from sqlalchemy import update

from newscrawl.archive import objects as object_store
from newscrawl.archive.holding import budget_lease, file_lease, leased
from newscrawl.archive.objects import ObjectPlace
from newscrawl.archive.places import FolderPlace
from newscrawl.archive.recover import recover
from newscrawl.archive.remove import Left, forget, remove_asked
from newscrawl.archive.retention import ArchiveBudget, keep_within
from newscrawl.archive.upload import UploadThread, move_all
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.crawling.runtime.database_upkeep import Upkeep
from newscrawl.errors import ArchiveError
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.monitoring.alarms import AlarmChanges, open_alarms
from newscrawl.storage.monitoring.checks import check_object_store
from newscrawl.storage.removal.retention import RetentionLimits
from newscrawl.storage.tables.articles import archive_files as files_table
from newscrawl.workers.processes import failpoints

ADDRESS = "s3://harbour/archive"


@dataclass
class Place:
    """A machine with a folder of its own, and the store of all machines."""

    name: str
    folder: Path
    objects: ObjectPlace

    @property
    def settings(self):
        return ArchiveSettings(self.folder, machine=self.name, store_address=ADDRESS)

    def archived(self, crawl, store, pages, *, moved=True):
        """Crawls the pages and closes the archive; the file stays in the folder if it is not `moved`."""
        address = ADDRESS if moved else None
        keeper = ArchiveWriter(ArchiveSettings(self.folder, machine=self.name, store_address=address), store)
        for page in pages:
            crawl(keeper, store, [page])
        keeper.close()

    def forget(self, store, *urls):
        return forget(store, self.settings, urls)

    def work(self, store, now):
        return remove_asked(store, self.settings, now)

    def move(self, store):
        return move_all(self.settings, store, self.objects)


@pytest.fixture
def bucket(tmp_path) -> Path:
    return tmp_path / "bucket"


@pytest.fixture
def objects(bucket, monkeypatch):
    """A store whose objects are files; obstore has for it the conditions of the other stores."""
    opened = LocalStore(bucket, mkdir=True)
    monkeypatch.setattr(object_store, "connect", lambda _address: (opened, opened))
    object_store.object_place_at.cache_clear()
    yield object_store.object_place_at(ADDRESS)
    object_store.object_place_at.cache_clear()


@pytest.fixture
def anna(tmp_path, objects):
    return Place("anna", tmp_path / "anna", objects)


@pytest.fixture
def bert(tmp_path, objects):
    return Place("bert", tmp_path / "bert", objects)


def holders(store):
    with store.reading() as connection:
        return [file.machine for file in locations.files(connection)]


def files_of(store):
    with store.reading() as connection:
        return locations.files(connection)


def waiting(store):
    with store.reading() as connection:
        return [(one.machine, one.files) for one in archive_files.waiting(connection)]


def words_in(*folders):
    return b"".join(gzip.decompress(path.read_bytes()) for folder in folders for path in folder.iterdir())


@ON_BOTH
def test_any_machine_forgets_what_another_one_has_moved(anna, bert, bucket, crawl, store, raw):
    anna.archived(crawl, store, [raw(0), raw(1)])
    assert (holders(store), list(anna.folder.iterdir())) == ([ADDRESS], [])
    done = bert.forget(store, raw(1).url)
    assert (done.captures, done.rewritten, done.left, done.waiting) == (1, 1, (), ())
    assert b"bridge-1" not in words_in(bucket)
    assert b"bridge-0" in words_in(bucket)
    assert list(bert.folder.iterdir()) == []
    assert bert.forget(store, raw(1).url).rewritten == 0


@ON_BOTH
def test_a_file_that_another_process_replaces_is_left_to_the_watch(anna, bert, bucket, crawl, store, raw, now):
    anna.archived(crawl, store, [raw(0), raw(1)])
    (file,) = files_of(store)
    with leased(store, file_lease(file.id)) as lease:
        assert lease is not None
        done = bert.forget(store, raw(1).url)
        assert (done.captures, done.files_left("busy")) == (0, (f"{ADDRESS}/{file.name}",))
        assert waiting(store) == [(ADDRESS, 1)]
        assert bert.work(store, now).left == (Left(f"{ADDRESS}/{file.name}", "busy"),)
    assert anna.work(store, now).captures == 1
    assert b"bridge-1" not in words_in(bucket)
    assert waiting(store) == []


@ON_BOTH
def test_a_process_that_lost_its_lease_replaces_nothing(anna, bucket, crawl, store, raw, monkeypatch):
    anna.archived(crawl, store, [raw(0), raw(1)])
    (file,) = files_of(store)

    def lose(name):
        if name == failpoints.ARCHIVE_REWRITTEN:
            store.run(_taken_over, file_lease(file.id)).result()

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("newscrawl.archive.rewrite.hit", lose)
        assert anna.forget(store, raw(1).url).files_left("busy") == (f"{ADDRESS}/{file.name}",)
    assert [path.name for path in bucket.iterdir()] == [file.name]


def _taken_over(connection, name):
    connection.exec_driver_sql(f"UPDATE sites SET token = token + 1 WHERE site = '{name}'")


def test_an_object_that_is_gone_is_named_with_its_store(anna, bucket, crawl, store, raw):
    anna.archived(crawl, store, [raw(0)])
    (file,) = files_of(store)
    (bucket / file.name).unlink()
    assert anna.forget(store, raw(1).url).files_left("missing") == (f"{ADDRESS}/{file.name}",)


@ON_BOTH
def test_a_request_follows_a_file_that_is_moved(anna, bert, bucket, crawl, store, raw, now):
    anna.archived(crawl, store, [raw(1)], moved=False)
    bert.forget(store, raw(1).url)
    assert waiting(store) == [("anna", 1)]
    assert anna.move(store) == 1
    assert waiting(store) == [(ADDRESS, 1)]
    assert bert.work(store, now).captures == 1
    assert b"bridge-1" not in words_in(bucket)


@ON_BOTH
def test_a_machine_without_the_address_asks_for_it(anna, bert, crawl, store, raw, now, bucket):
    anna.archived(crawl, store, [raw(1)])
    assert forget(store, ArchiveSettings(bert.folder, machine="bert"), [raw(1).url]).captures == 0
    assert waiting(store) == [(ADDRESS, 1)]
    assert anna.work(store, now).captures == 1
    assert b"bridge-1" not in words_in(bucket)


def test_a_file_that_is_stored_and_not_yet_moved_is_forgotten_in_both_places(anna, bucket, crawl, store, raw):
    anna.archived(crawl, store, [raw(0), raw(1)], moved=False)
    (path,) = anna.folder.iterdir()
    anna.objects.put(path, path.name)  # as a process that was then killed
    anna.forget(store, raw(1).url)
    assert list(bucket.iterdir()) == []
    anna.move(store)
    assert b"bridge-1" not in words_in(anna.folder, bucket)


def test_a_copy_whose_object_was_replaced_meanwhile_does_not_stay(anna, bert, bucket, crawl, store, raw):
    """A machine that was killed after the row was changed still has a copy when another one forgets a page."""
    anna.archived(crawl, store, [raw(0), raw(1)])
    (file,) = files_of(store)
    copy = anna.folder / f"{file.name}.stored"
    copy.write_bytes((bucket / file.name).read_bytes())
    bert.forget(store, raw(1).url)
    recover(anna.folder, store, "anna", anna.objects)
    assert list(anna.folder.iterdir()) == []


def test_a_process_that_ends_waits_only_so_long_for_the_store(anna, crawl, store, raw, monkeypatch, caplog):
    anna.archived(crawl, store, [raw(0)], moved=False)
    begun, ended = threading.Event(), threading.Event()

    def wait(_files, _path, name):
        begun.set()
        ended.wait(PATIENCE)
        raise ArchiveError(f"cannot store {name}: it does not answer")

    monkeypatch.setattr(ObjectPlace, "put", wait)
    upload = UploadThread(anna.settings, store, anna.objects, every=0.01)
    assert begun.wait(PATIENCE)
    upload.close(timeout=0.01)
    assert f"are not yet in {ADDRESS}: left to the next start" in caplog.text
    ended.set()
    upload.close(PATIENCE)
    assert caplog.text.count("it does not answer") == 1
    assert len(list(anna.folder.iterdir())) == 1


@ON_BOTH
def test_the_alarm_is_open_while_any_machine_has_the_problem(store, now):
    def check(problem, machine):
        return store.run(check_object_store, now, problem, now, machine).result()

    (opened,) = check("no rights", "anna").opened
    assert check("no rights", "anna") == AlarmChanges()
    assert check("no answer", "bert") == AlarmChanges()
    with store.reading() as connection:
        (grown,) = open_alarms(connection)
    assert grown.message.endswith("wait on 2 machines for the object store (anna: no rights; bert: no answer)")
    assert check(None, "anna") == AlarmChanges()
    (closed,) = check(None, "bert").closed
    assert (closed.id, closed.closed_at) == (opened.id, now)
    assert check(None, "bert") == AlarmChanges()


def test_a_store_that_is_away_does_not_keep_a_crawl_from_archiving(anna, crawl, store, raw, now, monkeypatch):
    anna.archived(crawl, store, [raw(0)], moved=False)
    store.run(archive_files.delete_file, files_of(store)[0].id, now).result()

    def refuse(_files, name):
        raise ArchiveError(f"cannot delete {name}: it does not answer")

    with monkeypatch.context() as away:
        away.setattr(ObjectPlace, "delete", refuse)
        anna.archived(crawl, store, [raw(1)])
    assert sorted(holders(store)) == ["anna", ADDRESS]
    anna.archived(crawl, store, [raw(2)])
    assert holders(store) == [ADDRESS, ADDRESS]


@ON_BOTH
def test_the_limits_apply_to_the_store_and_one_process_keeps_them(anna, bert, bucket, crawl, store, raw, now):
    for machine, number in ((anna, 0), (bert, 1), (anna, 2)):
        machine.archived(crawl, store, [raw(number)])
    sizes = [(bucket / file.name).stat().st_size for file in files_of(store)]
    foreign = bucket / "other.warc.gz"
    foreign.write_bytes(b"of somebody else")
    budget = ArchiveBudget(bytes=sum(sizes[1:]))
    with leased(store, budget_lease(ADDRESS)):
        assert keep_within(anna.objects, store, budget, now, "anna") == 0
    assert keep_within(anna.objects, store, budget, now, "anna") == 1
    assert keep_within(anna.objects, store, budget, now, "anna") == 0
    assert {path.name for path in bucket.iterdir()} == {file.name for file in files_of(store)} | {foreign.name}
    assert len(files_of(store)) == 2
    old = ArchiveBudget(age=timedelta(days=1))
    assert keep_within(anna.objects, store, old, now + timedelta(days=30), "anna") == 2
    assert list(bucket.iterdir()) == [foreign]


@pytest.mark.parametrize("moved", [True, False])
def test_a_file_is_as_old_as_its_pages(anna, bucket, crawl, store, raw, moved):
    anna.archived(crawl, store, [raw(0), raw(1)], moved=moved)
    store.run(_begun, datetime.now(UTC) - timedelta(days=10)).result()
    assert anna.forget(store, raw(1).url).rewritten == 1, "the file is written again"
    place = anna.objects if moved else FolderPlace(anna.folder)
    budget, now = ArchiveBudget(age=timedelta(days=9, hours=1)), datetime.now(UTC)
    assert keep_within(place, store, budget, now, "anna") == 0
    assert keep_within(place, store, ArchiveBudget(age=timedelta(days=8)), now, "anna") == 1
    assert [*bucket.iterdir(), *anna.folder.iterdir()] == []


def _begun(connection, at):
    connection.execute(update(files_table).values(created=at))


def test_the_upkeep_keeps_the_store_within_its_budget(anna, bucket, crawl, store, raw, now):
    for number in range(2):
        anna.archived(crawl, store, [raw(number)])
    budget = ArchiveBudget(bytes=max(path.stat().st_size for path in bucket.iterdir()))
    settings = ArchiveSettings(anna.folder, budget=budget, machine="anna", store_address=ADDRESS)
    upkeep = Upkeep(RetentionLimits(), settings, now)
    counts = upkeep.look(store.reading)
    assert (counts["files"], counts["captures"]) == (1, 1)
    assert upkeep.work(store)["captures"] == 1
    assert len(list(bucket.iterdir())) == 1


def test_files_of_a_store_are_no_machines_even_if_that_has_a_copy(anna, bert, bucket, crawl, store, raw):
    anna.archived(crawl, store, [raw(0)])
    (file,) = files_of(store)
    bert.folder.mkdir()
    copy = bert.folder / file.name
    copy.write_bytes((bucket / file.name).read_bytes())
    recover(bert.folder, store, "bert", bert.objects)
    assert holders(store) == [ADDRESS]
    assert (bert.move(store), copy.exists()) == (0, False)
