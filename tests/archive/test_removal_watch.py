"""A crawling process removes what was requested for its machine: before it fetches anything, and during its crawls."""

from __future__ import annotations

import asyncio
import fcntl
import gzip
import os
import threading
import time

import pytest
from kinds_of_databases import ON_BOTH
from patience import PATIENCE

from newscrawl.archive.remove import forget
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.crawling.runtime.crawl_services import remove_before_crawling, removing
from newscrawl.storage.captures import archive_files

pytestmark = ON_BOTH


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "bert"


@pytest.fixture
def bert(folder, store):
    """The archive of machine bert."""
    opened = ArchiveWriter(ArchiveSettings(folder, machine="bert"), store)
    yield opened
    opened.close()


def ask_from_anna(store, folder, url):
    return forget(store, ArchiveSettings(folder.with_name("anna"), machine="anna"), [url]).waiting


def waiting(store):
    with store.reading() as connection:
        return archive_files.waiting(connection)


def has(folder, words):
    return any(words in gzip.decompress(path.read_bytes()) for path in folder.iterdir())


async def until_done(store):
    async with asyncio.timeout(PATIENCE):
        while waiting(store):  # noqa: ASYNC110  it waits for the database
            await asyncio.sleep(0.02)


def test_a_crawl_closes_the_file_it_writes_and_removes_the_page(bert, crawl, store, folder, raw):
    async def scenario():
        async with removing(store, bert, 0.02):
            await until_done(store)

    crawl(bert, store, [raw(0), raw(1)])
    assert len(ask_from_anna(store, folder, raw(0).url)) == 1
    asyncio.run(scenario())
    crawl(bert, store, [raw(2)])
    bert.close()
    assert not has(folder, b"bridge-0")
    assert has(folder, b"bridge-1")
    assert has(folder, b"bridge-2")


def test_a_page_that_was_never_stored_is_removed_from_the_file_that_a_crawl_writes(crawl, store, folder, raw):
    """As after an outage of the database, or a lost lease."""
    bert = ArchiveWriter(ArchiveSettings(folder, machine="bert", in_flight=0.0), store)
    crawl(bert, store, [raw(1)])
    bert.keep(raw(0)).result(timeout=PATIENCE)

    async def scenario():
        async with removing(store, bert, 0.02):
            await until_done(store)

    try:
        assert len(forget(store, bert.settings, [raw(0).url]).files_left("busy")) == 1
        asyncio.run(scenario())
        done = forget(store, bert.settings, [raw(0).url])
        assert (done.left, done.waiting) == ((), ())
        assert not has(folder, b"bridge-0")
        assert has(folder, b"bridge-1")
    finally:
        bert.close()


def test_what_was_asked_for_is_removed_before_the_crawls_begin(bert, crawl, store, folder, raw):
    before = ArchiveWriter(ArchiveSettings(folder, machine="bert"), store)
    crawl(before, store, [raw(0), raw(1)])
    before.close()
    assert len(ask_from_anna(store, folder, raw(0).url)) == 1
    remove_before_crawling(store, bert)
    assert waiting(store) == []
    assert not has(folder, b"bridge-0")


def test_it_waits_for_another_process_of_the_machine_that_does_it(bert, crawl, store, folder, raw):
    crawl(bert, store, [raw(0)])
    bert.close()
    ask_from_anna(store, folder, raw(0).url)
    number = os.open(folder, os.O_RDONLY)
    fcntl.flock(number, fcntl.LOCK_EX)
    begun = threading.Thread(target=remove_before_crawling, args=(store, bert))
    begun.start()
    time.sleep(0.1)
    assert begun.is_alive()
    os.close(number)
    begun.join(PATIENCE)
    assert waiting(store) == []


def test_an_outage_is_a_line_at_its_begin_and_one_at_its_end(bert, crawl, store, folder, raw, monkeypatch, caplog):
    failures = []

    def fail_often(*_):
        failures.append(1)
        raise OSError("no space left")

    async def scenario():
        async with removing(store, bert, 0.02):
            with monkeypatch.context() as broken:
                broken.setattr("newscrawl.archive.places.sync_folder", fail_often)
                async with asyncio.timeout(PATIENCE):
                    while len(failures) < 3:  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
            await until_done(store)

    crawl(bert, store, [raw(0)])
    bert.close()
    ask_from_anna(store, folder, raw(0).url)
    asyncio.run(scenario())
    begin, end = [one.getMessage() for one in caplog.records if one.name.endswith("crawl_services")]
    assert begin.startswith("the removal from the archive failed and is tried again: ")
    assert end == "the removal from the archive goes on"
