"""`forget`, `archive`, `machines remove`, `status` and `reextract` on two machines with an archive each."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_settings import give_settings
from kinds_of_databases import ON_BOTH

from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.cli.main import main
from newscrawl.storage import machines
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.migrations import HEAD

pytestmark = [ON_BOTH, pytest.mark.process]
BERT = CrawlingProcess("bert/1/boot.1", "bert", "run", "0.1.0", HEAD)


@pytest.fixture
def on(tmp_path, monkeypatch, database):
    """`on("anna", "status")`: a command on a machine."""

    def run(machine, *command):
        settings = {"NEWSCRAWL_DATABASE_URL": database, "NEWSCRAWL_ARCHIVE_URL": str(tmp_path / machine)}
        give_settings(monkeypatch, NEWSCRAWL_MACHINE=machine, **settings)
        return CliRunner().invoke(main, command, prog_name="newscrawl")

    return run


@pytest.fixture
def canary(tmp_path, crawl, store, raw):
    """A page that is in the archives of anna and bert, with another text in each; bert has two more pages."""
    second = raw(1, body=raw(7).body, fetched_at=raw(9).fetched_at)
    for machine, pages in {"anna": [raw(1)], "bert": [second, raw(2), raw(3)]}.items():
        keeper = ArchiveWriter(ArchiveSettings(tmp_path / machine, machine=machine), store)
        crawl(keeper, store, pages)
        keeper.close()
    return raw(1).url


def files_with(folder, words):
    """The archive files below a folder that have these bytes."""
    return [path.parent.name for path in folder.rglob("*.warc.gz*") if words in gzip.decompress(path.read_bytes())]


def test_forget_is_done_when_all_machines_have_confirmed(on, canary, tmp_path):
    assert sorted(files_with(tmp_path, b"bridge-1")) == ["anna", "bert"]
    first = on("anna", "forget", canary, "--yes")
    assert (first.exit_code, first.stdout) == (1, "forgot 1 page and 2 articles\n")
    line = "archive: machine bert has not yet removed what was forgotten from 1 file, asked at 20"
    assert first.stderr.startswith(line)
    assert line in on("anna", "status").stdout
    again = on("anna", "forget", canary, "--yes")
    assert (again.exit_code, again.stdout) == (1, f"nothing of {canary} is stored\n")
    done = on("bert", "archive", "remove-forgotten")
    assert (done.exit_code, done.stdout) == (0, "removed 1 capture; 1 file of bert confirmed\n")
    assert files_with(tmp_path, b"bridge-1") == []
    last = on("anna", "forget", canary, "--yes")
    assert (last.exit_code, last.stdout) == (0, f"nothing of {canary} is stored; no archive contains it\n")
    assert "archive:" not in on("anna", "status").stdout


def shape(text):
    """The lines of a text without what differs from case to case: numbers, times and plurals."""
    return {re.sub(r"\d[\d,:-]*", "0", line).replace("files", "file") for line in text.splitlines()}


def test_the_how_to_shows_what_the_commands_say(on, canary):
    page = Path(__file__).parents[2] / "docs" / "how-to" / "archive.md"
    shown = re.findall(r"^```text\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    reextracted = on("anna", "reextract", "--chain", "classic", "--workers", "1").stdout
    forgotten = on("anna", "forget", canary, "--yes").output
    assert len(shown) == 2
    for block in shown:
        assert shape(block) <= shape(reextracted) | shape(forgotten)


def test_forget_names_a_removed_machine_as_the_exception(on, canary, tmp_path):
    assert "bert" in files_with(tmp_path, b"bridge-1")
    assert on("anna", "machines", "remove", "bert").exit_code == 0
    done = on("anna", "forget", canary, "--yes")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "forgot 1 page and 2 articles; done except bert, removed\n"
    again = on("anna", "forget", canary, "--yes")
    assert (again.exit_code, again.stdout) == (0, f"nothing of {canary} is stored; done except bert, removed\n")
    assert "archive: 1 file of machine bert, removed, may contain what was" in on("anna", "status").stdout


def test_a_removed_machine_that_returns_is_waited_for_until_it_has_removed_the_page(on, canary, store):
    on("anna", "machines", "remove", "bert")
    on("anna", "forget", canary, "--yes")
    store.run(machines.register, BERT).result()
    assert on("anna", "forget", canary, "--yes").exit_code == 1
    on("bert", "archive", "remove-forgotten")
    assert on("anna", "forget", canary, "--yes").exit_code == 0


def test_a_file_that_cannot_be_opened_stays_to_be_done(on, canary, tmp_path):
    on("anna", "forget", canary, "--yes")
    (file,) = (tmp_path / "bert").iterdir()
    file.rename(tmp_path / file.name)
    left = on("bert", "archive", "remove-forgotten")
    assert (left.exit_code, f"not done: {file} cannot be opened" in left.stderr) == (1, True)
    (tmp_path / file.name).rename(file)
    assert on("bert", "archive", "remove-forgotten").exit_code == 0


def test_what_lies_elsewhere_is_not_extracted_and_named(on, canary):
    done = on("anna", "reextract", "--chain", "classic", "--workers", "1")
    assert (done.exit_code, "archive/unreadable" in done.stdout) == (0, False)
    assert done.stdout.startswith("1 page of the archive")
    assert "not extracted: 3 captures of 1 file lie on machine bert; run the command there" in done.stdout
    nothing = on("carla", "reextract")
    assert nothing.exit_code != 0
    on("anna", "forget", canary, "--yes")
    nothing = on("anna", "reextract")
    assert (nothing.exit_code, "3 captures of 1 file lie on machine bert" in nothing.stderr) == (2, True)


def test_nothing_of_a_forgotten_page_is_extracted_again(on, canary):
    on("anna", "forget", canary, "--yes")
    done = on("bert", "reextract", "--chain", "classic", "--workers", "1", "--apply")
    assert (done.exit_code, done.stdout.startswith("2 pages of the archive")) == (0, True)
    assert on("bert", "why", canary).exit_code == 1


@pytest.mark.parametrize(("folder", "words"), [("off", "NEWSCRAWL_ARCHIVE_URL is off"), ("/nonexistent", "names its")])
def test_a_machine_without_an_archive_has_nothing_to_remove(on, monkeypatch, database, folder, words):
    give_settings(monkeypatch, NEWSCRAWL_DATABASE_URL=database, NEWSCRAWL_ARCHIVE_URL=folder)
    done = CliRunner().invoke(main, ["archive", "remove-forgotten"], prog_name="newscrawl")
    assert (done.exit_code, words in done.stderr) == (2, True)


def damage_the_second_answer(file):
    """Overwrites bytes of the second of three responses, whose places differ from run to run."""
    data, start, responses = file.read_bytes(), 0, []
    while start < len(data):
        member = zlib.decompressobj(wbits=31)
        record = member.decompress(data[start:])
        end = len(data) - len(member.unused_data)
        responses += [(start, end)] * (b"WARC-Type: response" in record)
        start = end
    assert len(responses) == 3
    middle = sum(responses[1]) // 2
    file.write_bytes(data[: middle - 20] + bytes(40) + data[middle + 20 :])


def test_status_and_doctor_name_a_file_that_is_gone(on, canary, tmp_path):
    (file,) = (tmp_path / "bert").iterdir()
    assert "archive:" not in on("bert", "status").stdout
    assert "3 captures drawn at random can be read" in on("bert", "doctor", "--offline").stdout
    file.rename(tmp_path / file.name)
    assert (
        f"archive: 1 file is not in the folder of this machine: {file.name}; `newscrawl d"
        in on("bert", "status").stdout
    )
    assert "archive:" not in on("anna", "status").stdout
    done = on("bert", "doctor", "--offline")
    assert f"1 archive file is gone from {tmp_path / 'bert'}, with 3 captures: {file.name}" in done.stdout


def test_doctor_reads_captures_and_says_how_many_it_could_not_read(on, canary, tmp_path):
    (file,) = (tmp_path / "bert").iterdir()
    damage_the_second_answer(file)
    found = next(line for line in on("bert", "doctor", "--offline").stdout.splitlines() if line.startswith("captures"))
    assert re.search(
        rf"1 of \d captures? drawn at random cannot be read: {file.name} at byte \d+; `newscrawl reex", found
    )


def test_captures_that_were_damaged_when_a_process_was_killed_stand_in_status_and_doctor(on, canary, tmp_path, caplog):
    (file,) = (tmp_path / "bert").iterdir()
    left = file.rename(f"{file}.open")
    damage_the_second_answer(left)
    on("bert", "forget", "https://elsewhere.example/", "--yes")
    assert f"{file.name}: 1 capture cannot be read any longer" in caplog.text
    assert "archive: 1 damaged capture; archived again when the page is fetched again" in on("bert", "status").stdout
    assert "1 capture was damaged" in on("bert", "doctor", "--offline").stdout
    again = on("bert", "reextract", "--chain", "classic", "--workers", "1").stdout
    assert again.startswith("2 pages of the archive")  # the one behind the damage is read
    assert "archive/unreadable" not in again
