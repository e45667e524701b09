"""A batch whose files and parts are in an object store. Neither the parts nor what workers get has a key."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from gzip import compress
from io import BytesIO
from multiprocessing import forkserver

import pytest
from object_server import KEY, SECRET, TOKEN
from patience import PATIENCE
from pyarrow import parquet
from warc_files import page_record

from newscrawl.archive import objects as object_store
from newscrawl.archive.batch.part_names import MANIFEST
from newscrawl.archive.batch.parts import place_for_parts
from newscrawl.archive.batch.planning import files_at
from newscrawl.archive.batch.run import Batch, LocalEngine
from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.errors import ArchiveError, UsageError
from newscrawl.model.address_policy import AddressPolicy

OPTIONS = SpanOptions(as_of=datetime(2026, 12, 1, tzinfo=UTC), timeout=PATIENCE, memory_mb=1024)


@pytest.fixture
def new_fork_server(address):
    """Ends the fork server, so that the next one has the keys of `address` in its environment."""
    forkserver._forkserver._stop()
    yield
    forkserver._forkserver._stop()


@pytest.mark.usefixtures("new_fork_server")
def test_files_and_parts_are_objects(address, raw, server):
    files = place_for_parts(f"{address}/in")
    assert files.create(
        "a.warc.gz", b"".join(compress(page_record(page.url, page.body)) for page in map(raw, range(6)))
    )
    place = place_for_parts(f"{address}/parts")

    def work():
        return Batch(files_at([f"{address}/in/a.warc.gz"], AddressPolicy()), OPTIONS, place, span_bytes=500)

    first = work()
    with LocalEngine(first.options, place, 1) as engine:
        task = []
        give = engine.give
        engine.give = lambda given: (task.append(given), give(given))
        for _ in first.run(engine):
            pass
    assert (first.progress.rows, first.progress.articles) == (6, 6)
    assert first.progress.parts == first.progress.spans > 1
    written = {name: place.read(name) for name in place.listed("")}
    tables = [parquet.read_table(BytesIO(content)) for name, content in written.items() if name != MANIFEST]
    assert len(tables) == first.progress.parts
    assert {row["title"] for table in tables for row in table.to_pylist()} == {f"Bridge {n}" for n in range(6)}
    assert {row for table in tables for row in table.column("file").to_pylist()} == {f"{address}/in/a.warc.gz"}
    seen = b"".join(written.values()) + pickle.dumps(task)
    assert [secret for secret in (KEY, SECRET, TOKEN, server.address) if secret.encode() in seen] == []

    place.delete(next(name for name in written if name != MANIFEST))
    place.replace(MANIFEST, written[MANIFEST].replace(b'"state": "done"', b'"state": "waiting"'))
    again = work()  # the parts say what is done, not the manifest
    assert again.progress.parts == again.progress.spans - 1


def test_an_object_is_created_once(address):
    place = place_for_parts(address)
    assert (place.create("x", b"one"), place.create("x", b"two"), place.read("x")) == (True, False, b"one")
    place.replace("x", b"three")
    assert (place.read("x"), [(file.name, file.size) for file in place.listed("").values()]) == (b"three", [("x", 5)])
    with pytest.raises(FileNotFoundError):
        place.read("y")


def test_what_a_store_refuses_is_one_line(address, server, monkeypatch):
    monkeypatch.setattr(object_store, "RETRIES", 0)
    object_store.object_place_at.cache_clear()
    with pytest.raises(UsageError, match=r"cannot read .*/no\.warc\.gz: cannot find no\.warc\.gz in the object store"):
        files_at([f"{address}/no.warc.gz"], AddressPolicy())
    server.fail("PUT", "denied")
    with pytest.raises(ArchiveError, match=r"cannot store x in the object store .*: access is denied"):
        place_for_parts(address).create("x", b"one")
    with pytest.raises(UsageError, match=r"no place for parts: an address has no keys"):
        place_for_parts("s3://key:secret@harbour/parts")
    object_store.object_place_at.cache_clear()
