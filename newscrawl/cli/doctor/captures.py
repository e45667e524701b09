"""The check of `newscrawl doctor` on what the archive has: files that are gone, damaged captures, and captures drawn at
random."""

from __future__ import annotations

from collections.abc import Sized
from typing import Final

from newscrawl.archive.files import OPEN, SUFFIX, gone, is_written
from newscrawl.archive.recover import is_readable
from newscrawl.cli.doctor.findings import Finding, Findings, ok, skipped, to_do
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import reader_of
from newscrawl.crawling.runtime.archive import folder_of, machine_of, store_address_of
from newscrawl.errors import MissingDatabase
from newscrawl.storage.captures import locations
from newscrawl.wording import counted

DRAWN: Final = 50
"""Captures that are read."""
CHECK: Final = "captures"
ALL: Final = "`newscrawl reextract` reads all captures and counts those that cannot be read (archive/unreadable)"


def check_captures(config: Config) -> Findings:
    """Returns whether the files of this machine are in its folder, and whether a sample of its captures, and of those
    in its object store, can be read. Raises StorageError."""
    folder, machine = folder_of(config), machine_of(config)
    if folder is None:
        return [ok(CHECK, "the archive is off")]
    try:
        with reader_of(config) as connection:
            files = locations.files(connection)
            missing = gone(folder, files, machine)
            in_missing = sum(locations.number_in(connection, file.id) for file in missing)
            damaged = locations.number_damaged(connection)
            stored = store_address_of(config)
            places = {machine: str(folder)} | ({stored: stored} if stored is not None else {})
            here = {file.id: (places[file.machine], file.name) for file in files if file.machine in places}
            drawn = locations.drawn(connection, DRAWN, here.keys() - {file.id for file in missing})
    except MissingDatabase:
        return [skipped(CHECK, "there is no database yet")]
    found: list[Finding] = []
    left = sum(not is_written(path) for path in folder.glob(f"*{SUFFIX}{OPEN}"))
    if left:
        text = counted(left, "file of an ended process is open", "files of ended processes are open")
        found.append(ok(CHECK, f"{text}: the next crawl that archives a page closes {'them' if left > 1 else 'it'}"))
    if missing:
        files_gone = counted(len(missing), "archive file is", "archive files are")
        number = counted(in_missing, "capture")
        text = f"{files_gone} gone from {folder}, with {number}: {_first(missing[0].name, missing)}"
        found.append(to_do(CHECK, text, f"copy them back from a back-up; {ALL}"))
    if damaged:
        text = f"{counted(damaged, 'capture was', 'captures were')} damaged when a crawl ended"
        found.append(
            ok(CHECK, f"{text}: they are used no more, and their pages are archived again when they are fetched")
        )
    spots = [(row, row.capture.body or row.capture.spot) for row in drawn]
    unreadable = [spot for row, spot in spots if not is_readable(*here[spot.file], row)]
    if unreadable:
        first = _first(f"{here[unreadable[0].file][1]} at byte {unreadable[0].offset}", unreadable)
        text = f"{len(unreadable)} of {counted(len(drawn), 'capture')} drawn at random cannot be read: {first}"
        found.append(to_do(CHECK, text, ALL))
    elif drawn or not missing:
        found.append(ok(CHECK, f"{counted(len(drawn), 'capture')} drawn at random can be read"))
    return found


def _first(named: str, of: Sized) -> str:
    return f"{named}, ..." if len(of) > 1 else named
