"""Commands with an archive in an object store work, and neither they nor the database store a key."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import warm
from click.testing import CliRunner
from command_settings import give_settings
from object_server import KEY, SECRET, TOKEN
from scrapy.settings import Settings

from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.cli.main import main
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.archive import archive_settings, folder_of
from newscrawl.errors import ConfigurationError
from newscrawl.monitoring.doctor.checks import check_archive, made
from newscrawl.storage.captures import locations

ROOT = Path(__file__).parents[2]


@pytest.fixture
def on(monkeypatch, database, address, folder):
    """`on("status")`: a command on machine anna."""

    def run(*command, **changed):
        archive = {"NEWSCRAWL_ARCHIVE_URL": address, "NEWSCRAWL_ARCHIVE_SPOOL": str(folder)}
        give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=database, NEWSCRAWL_MACHINE="anna", **{**archive, **changed})
        return CliRunner().invoke(main, command, prog_name="newscrawl")

    return run


@pytest.fixture
def archived(folder, crawl, store, raw):
    """An archive of three pages in a folder, as before the change to an object store."""
    keeper = ArchiveWriter(ArchiveSettings(folder, machine="anna"), store)
    crawl(keeper, store, [raw(number) for number in range(3)])
    keeper.close()


def holders(store):
    with store.reading() as connection:
        return [file.machine for file in locations.files(connection)]


@pytest.mark.usefixtures("archived")
def test_a_folder_is_moved_into_the_store_and_forgotten_there(on, address, store, folder, raw, tmp_path, server):
    assert f"archive: 1 closed file waits in {folder} for {address} (0.0 GB)\n" in on("status").stdout
    moved = on("archive", "move")
    assert (moved.exit_code, moved.stdout) == (0, f"moved 1 file from {folder} to {address}\n")
    assert holders(store) == [address]
    assert f"object store {address}: 1 archive file\n" in on("machines").stdout
    assert on("forget", raw(1).url, "--yes").stdout == "forgot 1 page and 1 article\n"
    assert "archive: " not in on("status").stdout
    assert on("archive", "remove-forgotten").exit_code == 0
    off = on("archive", "move", NEWSCRAWL_ARCHIVE_URL="auto")
    assert (off.exit_code, "give its address in NEWSCRAWL_ARCHIVE_URL" in off.stderr) == (2, True)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert [secret for secret in (KEY, SECRET, TOKEN, server.address) if secret.encode() in written] == []


@pytest.mark.process
@pytest.mark.usefixtures("archived")
def test_workers_extract_the_pages_of_the_store_again(on, address, database, folder, server):
    assert on("archive", "move").exit_code == 0
    settings = {"NEWSCRAWL_DATABASE_URL": database, "NEWSCRAWL_MACHINE": "anna", "NEWSCRAWL_ARCHIVE_URL": address}
    words = ("reextract", "--chain", "justext", "--workers", "1")
    environment = {**os.environ, **settings, "NEWSCRAWL_ARCHIVE_SPOOL": str(folder), **server.variables}
    server.requests.clear()
    done = warm.told([sys.executable, "-m", "newscrawl.cli", *words], cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 pages of the archive with justext")
    assert [request for request in server.requests if not request.startswith("GET bytes=")] == []
    server.fail("GET", "whole")
    refused = on(*words)
    assert refused.exit_code == 2
    assert "it answers a range with the whole object (no status 206)" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_doctor_tries_the_store_out(address, folder, server):
    config = config_of(Settings({"NEWSCRAWL_ARCHIVE_URL": address, "NEWSCRAWL_ARCHIVE_SPOOL": str(folder)}), {})
    ((check, finding),) = ((found.check, found.text) for found in made("archive", lambda: check_archive(config)))
    assert (check, finding.startswith(f"{address}; files grow in {folder}, ")) == ("archive", True)
    server.fail("PUT", "denied")
    (found,) = made("archive", lambda: check_archive(config))
    assert "access is denied (403 SignatureDoesNotMatch)" in found.text
    assert KEY not in str(found)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"NEWSCRAWL_ARCHIVE_URL": "gs://bucket/x"}, "only s3:// is an address of an object store"),
        ({"NEWSCRAWL_ARCHIVE_URL": "s3://a"}, "give s3://BUCKET/PREFIX"),
        (
            {"NEWSCRAWL_ARCHIVE_URL": "s3://harbour", "NEWSCRAWL_ARCHIVE_FILE_MB": 6_000},
            "NEWSCRAWL_ARCHIVE_FILE_MB: 6000 cannot be used: give at most 5,000",
        ),
    ],
)
def test_settings_that_cannot_work_are_one_line(written, words):
    with pytest.raises(ConfigurationError) as raised:
        archive_settings(config_of(Settings(written), {}))
    assert words in str(raised.value)


def test_the_spool_is_where_the_folder_of_an_archive_would_be(tmp_path):
    written = {"NEWSCRAWL_ARCHIVE_URL": "s3://harbour", "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db"}
    assert folder_of(config_of(Settings(written), {})) == tmp_path / "news.archive"
    assert folder_of(config_of(Settings({**written, "NEWSCRAWL_ARCHIVE_SPOOL": "/spool"}), {})) == Path("/spool")


SPAN = """
import sys
from datetime import UTC, datetime
from newscrawl.archive.batch import SpanOptions, extract_span
from newscrawl.errors import NewscrawlError

for name in sys.argv[1:]:
    try:
        table = extract_span(name, 0, 1 << 30, SpanOptions(as_of=datetime(2026, 11, 24, tzinfo=UTC)))
    except NewscrawlError as error:
        raise SystemExit(str(error))
    print(*sorted(row["title"] for row in table.to_pylist()), sep=", ")
"""


@pytest.mark.process
@pytest.mark.usefixtures("archived")
def test_a_span_of_the_store_is_a_table_or_one_error(on, address, store, server):
    assert on("archive", "move").exit_code == 0
    with store.reading() as connection:
        (file,) = locations.files(connection)

    def run(*names):
        command = [sys.executable, "-c", SPAN, *(f"{address}/{name}" for name in names)]
        environment = {**os.environ, **server.variables}
        return warm.told(command, cwd=ROOT, env=environment)

    missing = run(file.name, "no.warc.gz")
    assert missing.stdout == "Bridge 0, Bridge 1, Bridge 2\n"
    assert (missing.returncode, "it has no such object" in missing.stderr) == (1, True), missing.stderr
    server.fail("GET", None, "denied")  # after the first range, which says whether the file is compressed
    refused = run(file.name)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "access is denied (403 SignatureDoesNotMatch)" in refused.stderr
