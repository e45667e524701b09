"""The protocol of an object store: newscrawl handles one that is busy, refuses, cuts answers or has other bytes."""

from __future__ import annotations

import time
import traceback
from datetime import timedelta

import pytest
from object_server import KEY, SECRET, TOKEN
from patience import PATIENCE

from newscrawl.archive import objects as object_store
from newscrawl.archive.objects import ObjectPlace, connect, object_address
from newscrawl.archive.upload import UploadThread
from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.errors import ArchiveError, ConfigurationError
from newscrawl.storage.monitoring.alarms import open_alarms

SHORT = timedelta(milliseconds=200)
"""Time-out of a client that must not get an answer."""
NAME = "newscrawl-20261121120000000000-harbour-1-00001.warc.gz"
OTHER = NAME.replace("00001", "00002")


@pytest.fixture
def objects(address) -> ObjectPlace:
    """A client that waits as long as that of a crawl."""
    return ObjectPlace(address, *connect(address))


@pytest.fixture
def client(objects, address):
    """`client("slow")`: a client for a fault. One that would outlast a slow store gives up soon."""
    return lambda fault: ObjectPlace(address, *connect(address, SHORT, SHORT, SHORT)) if fault == "slow" else objects


@pytest.fixture
def file(tmp_path):
    path = tmp_path / NAME
    path.write_bytes(bytes(range(256)) * 100)
    return path


def test_a_stored_file_is_listed_read_in_ranges_and_deleted(objects, file, server, monkeypatch):
    objects.put(file, NAME)
    (found,) = objects.listed().values()
    assert (found.name, found.size, objects.has(NAME)) == (NAME, 25_600, True)
    server.requests.clear()
    assert [objects.read(NAME, at, 3) for at in (256, 512)] == [b"\0\1\2"] * 2
    assert len(server.requests) == 1, "the second capture came with the first"
    monkeypatch.setattr(object_store, "READ_AHEAD", 10)
    content = {NAME: file.read_bytes(), OTHER: bytes(range(50))[::-1]}
    objects.replace(OTHER, content[OTHER])
    ranges = [(OTHER, 0, 10), (OTHER, 4, 10), (NAME, 5, 3), (OTHER, 2, 3)]  # the second ends behind what was read
    assert [objects.read(*one) for one in ranges] == [content[name][at : at + size] for name, at, size in ranges]
    objects.delete(OTHER)
    with objects.open(NAME) as opened:
        assert opened.read() == file.read_bytes()
    objects.delete(NAME)
    objects.delete(NAME)
    assert (objects.listed(), objects.has(NAME)) == ({}, False)
    with pytest.raises(FileNotFoundError):
        objects.read(NAME, 0, 1)


@pytest.mark.parametrize("fault", ["busy", "cut", "cut after"])
def test_a_fault_that_passes_changes_nothing(objects, file, server, fault):
    server.fail("PUT", fault, None)
    objects.put(file, NAME)
    assert objects.listed()[NAME].size == 25_600


def test_a_file_that_is_there_already_must_have_the_same_bytes(objects, file):
    objects.put(file, NAME)
    objects.put(file, NAME)
    for other in (b"\1" * 25_600, file.read_bytes()[:-1], file.read_bytes() + b"\0"):
        file.write_bytes(other)
        with pytest.raises(ArchiveError, match=f"has other bytes under the name {NAME}: the local file is kept"):
            objects.put(file, NAME)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("denied", "access is denied (403 SignatureDoesNotMatch): check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
        ("busy", "it answers with 503 SlowDown"),
        ("cut", "it does not answer, or not to the end: check AWS_ENDPOINT_URL"),
        ("slow", "it does not answer, or not to the end"),
        ("changed", "the bytes did not arrive as they were sent (400 BadDigest): it is tried again"),
    ],
)
def test_a_fault_that_stays_is_one_line_without_keys(objects, client, address, file, server, fault, words):
    server.fail("PUT", fault)
    with pytest.raises(ArchiveError) as raised:
        client(fault).put(file, NAME)
    assert str(raised.value).startswith(f"cannot store {NAME} in the object store {address}: {words}")
    shown = "".join(traceback.format_exception(raised.value))
    assert not [secret for secret in (KEY, SECRET, TOKEN, server.address) if secret in shown]
    assert objects.listed() == {}


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("whole", "it answers a range with the whole object (no status 206): use a store that serves ranges"),
        ("denied", "access is denied"),
        ("busy", "it answers with 503 SlowDown"),
        ("cut within", "it does not answer, or not to the end"),
        ("slow", "it does not answer, or not to the end"),
    ],
)
def test_a_range_that_cannot_be_read_is_one_line(objects, client, file, server, fault, words):
    objects.put(file, NAME)
    server.fail("GET", fault)
    with pytest.raises(ArchiveError) as raised:
        client(fault).read(NAME, 256, 3)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("busy", "it answers with 503 SlowDown"),
        ("cut", "it does not answer, or not to the end"),
        ("slow", "it does not answer, or not to the end"),
    ],
)
def test_files_wait_and_an_alarm_is_open_while_a_store_fails(
    objects, address, crawl, store, folder, raw, server, fault, words
):
    keeper = ArchiveWriter(ArchiveSettings(folder, machine="anna"), store)
    crawl(keeper, store, [raw(0)])
    keeper.close()
    (file,) = folder.iterdir()

    def alarms(files, number):
        upload = UploadThread(
            ArchiveSettings(folder, machine="anna"), store, files, every=0.01, alarm_after=timedelta(0)
        )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with store.reading() as connection:
                found = open_alarms(connection)
            if len(found) == number:
                break
            time.sleep(0.01)
        upload.close(PATIENCE)
        return [(alarm.kind, alarm.message.partition("(anna: ")[2]) for alarm in found]

    server.fail("PUT", fault)
    ((kind, problem),) = alarms(ObjectPlace(address, *connect(address, SHORT, SHORT, SHORT)), 1)
    assert kind == "object_store"
    assert problem.startswith(f"cannot store {file.name} in the object store {address}: {words}")
    assert (file.exists(), objects.listed()) == (True, {})
    server.fail("PUT", None)
    assert alarms(objects, 0) == []
    assert (list(folder.iterdir()), list(objects.listed())) == ([], [file.name])


def test_a_bucket_that_is_not_there_and_missing_keys_are_named(server, address, file, monkeypatch):
    wrong = "s3://no-such-bucket/archive"
    files = ObjectPlace(wrong, *connect(wrong))
    for use in (files.check, lambda: files.put(file, NAME)):
        with pytest.raises(ArchiveError, match="there is no such bucket: create it, or correct the address"):
            use()
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ArchiveError, match="there are no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"):
        ObjectPlace(address, *connect(address, SHORT, SHORT, SHORT)).check()


def test_an_endpoint_without_tls_is_refused_except_on_this_machine(address, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.2:9")  # which wins over AWS_ENDPOINT_URL
    with pytest.raises(ArchiveError, match="its endpoint has no TLS: give one with https://, or set AWS_ALLOW_HTTP="):
        ObjectPlace(address, *connect(address)).check()


def test_objects_below_other_prefixes_are_none_of_the_archive(objects, file, address):
    objects.put(file, NAME)
    below = ObjectPlace(f"{address}/other", *connect(f"{address}/other"))
    below.put(file, NAME)
    objects.put(file, "notes.txt")
    assert list(objects.listed()) == [NAME]
    below.delete(NAME)
    assert objects.has(NAME)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("s3://harbour", "s3://harbour"),
        ("s3://harbour/", "s3://harbour"),
        ("s3://harbour/news/a.b_c-d/", "s3://harbour/news/a.b_c-d"),
    ],
)
def test_an_address_is_a_bucket_and_a_prefix(written, read):
    assert object_address(written) == read


@pytest.mark.parametrize("written", ["s3://", "s3://ab", "s3://Harbour/x", "s3://harbour/a b", "s3://harbour/a//b"])
def test_another_address_is_refused(written):
    with pytest.raises(ConfigurationError, match="give s3://BUCKET/PREFIX"):
        object_address(written)


def test_an_address_with_keys_is_refused_and_not_repeated():
    with pytest.raises(ConfigurationError, match="an address has no keys") as raised:
        object_address(f"s3://{KEY}:{SECRET}@harbour/archive")
    assert KEY not in str(raised.value)
    assert SECRET not in str(raised.value)
    with pytest.raises(ConfigurationError, match="give at most 200"):
        object_address("s3://harbour/" + "a" * 200)


def test_without_its_client_the_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "obstore", None)
    with pytest.raises(Exception, match=r"needs obstore: run `pip install '\.\[s3\]'` in newscrawl's clone"):
        object_store._obstore()
