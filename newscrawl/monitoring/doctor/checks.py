"""The findings of `newscrawl doctor`, how a check runs (with a deadline, without a traceback), their order, and the
checks that need no Scrapy: memory, database, archive, a sample of captures, and the receivers of alarms.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from newscrawl.archive.files import OPEN, SUFFIX, gone, is_written
from newscrawl.archive.recover import is_readable
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import database_of, reader_of
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.archive import archive_settings, folder_of, machine_of, store_address_of
from newscrawl.errors import MissingDatabase, NewscrawlError, os_reason
from newscrawl.model import is_object_store
from newscrawl.model.wording import counted
from newscrawl.publishing.deliver import mail
from newscrawl.publishing.deliver.places import AlarmWebhook, alarm_values
from newscrawl.reports.database import DatabaseCondition, look_at
from newscrawl.storage.captures import locations
from newscrawl.storage.machines import compare_clocks
from newscrawl.storage.monitoring.alarms import FLEET, Alarm

if TYPE_CHECKING:
    from scrapy.settings import Settings

GIGABYTE: Final = 10**9
MIN_MEMORY: Final = 1_800_000_000
"""Bytes of memory for a fleet: docs/how-to/deploy.md says 2 GB, and a machine sold with 2 GB reports a little less."""
MIN_FREE_MEMORY: Final = 400_000_000
"""Bytes that the first worker processes need."""
MIN_FREE: Final = GIGABYTE
"""Bytes free beside a SQLite database: for its write-ahead log and a day of articles."""
DRAWN: Final = 50
"""Captures that are read."""

DATABASE_DEADLINE: Final = 12.0
"""Seconds for all checks on the database. PostgreSQL's own limit on a connection is 10."""
DISK_DEADLINE: Final = 5.0
"""Seconds for a check that only reads and writes a folder, which may be on a network's disk."""
SAMPLE_DEADLINE: Final = 20.0
"""Seconds for reading a sample of captures from a folder, and the files' names from the database."""
STORE_DEADLINE: Final = 60.0
"""Seconds for a check of an object store, which retries what may pass."""
RECEIVER_DEADLINE: Final = mail.DEADLINE + mail.TIMEOUT + 5.0
"""Seconds for one receiver of alarms, which has shorter deadlines of its own."""

REPORT: Final = "report it as a bug, with this line"
READ_ALL: Final = "`newscrawl reextract` reads all captures and counts those that cannot be read (archive/unreadable)"
REACH_RECEIVER: Final = "see that this machine reaches the receiver (DNS, firewall, certificate) and that it works"
AFTER_SETTINGS: Final = (
    *("database", "disk", "statistics", "clock", "archive", "captures", "contact", "declarations", "alarms", "sites"),
)
_MEMORY_INFO: Final = Path("/proc/meminfo")
_CONTAINER_LIMIT: Final = Path("/sys/fs/cgroup/memory.max")

State = Literal["ok", "to do", "skipped"]
Findings = Sequence["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: `text` is what was found, `advice` what to do about it ("" if nothing)."""

    check: str
    state: State
    text: str
    advice: str = ""


def ok(check: str, text: str) -> Finding:
    """Returns the finding of a check without a problem."""
    return Finding(check, "ok", text)


def to_do(check: str, text: str, advice: str = "") -> Finding:
    """Returns a problem. A message of newscrawl's own errors already says what to do, and needs no advice."""
    return Finding(check, "to do", text, advice)


def skipped(check: str, text: str) -> Finding:
    """Returns a check that was not made, and why."""
    return Finding(check, "skipped", text)


def made(check: str, look: Callable[[], Findings]) -> Findings:
    """Returns the findings of `look`. Every exception becomes a finding."""
    try:
        return look()
    except NewscrawlError as error:
        return [to_do(check, " ".join(str(error).split()))]
    except OSError as error:
        return [to_do(check, os_reason(error), "see that the user who runs newscrawl may use it")]
    except Exception as error:  # noqa: BLE001  a doctor that dies of what it finds helps nobody
        return [to_do(check, f"{type(error).__name__}: {' '.join(str(error).split())}", REPORT)]


def made_within(check: str, seconds: float, look: Callable[[], Findings], advice: str) -> Findings:
    """Returns the findings of `look` as `made` does, for a check that may hang, such as one that uses the network.

    After `seconds` the check is given up, and the finding has `advice`. Its thread does not keep the process from
    ending.
    """
    found: list[Findings] = []
    thread = threading.Thread(target=lambda: found.append(made(check, look)), name=f"doctor-{check}", daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else [to_do(check, f"no answer within {seconds:.0f} s", advice)]


def findings(
    environment: Mapping[str, str], read_settings: Callable[[], Settings], *, offline: bool, send: bool
) -> Iterator[Finding]:
    """Yields the findings of all checks, in the order in which they are shown.

    `read_settings` returns the settings of the project, or raises what says why there are none. With `offline` nothing
    is requested from sites and receivers of alarms; with `send` each receiver gets a test alarm.
    """
    usable: list[Settings] = []

    def settings() -> Findings:
        from newscrawl.monitoring.doctor.project import check_settings  # reads settings

        read, found = check_settings(environment, read_settings)
        usable.extend([read] if read is not None else [])
        return found

    yield from made("settings", settings)
    workers = config_of(usable[0]).workers.count if usable else 0
    yield from made("memory", lambda: check_memory(workers))
    if usable:
        yield from _after_settings(usable[0], offline=offline, send=send)
    else:
        yield from (skipped(check, "needs the settings") for check in AFTER_SETTINGS)


def _after_settings(settings: Settings, *, offline: bool, send: bool) -> Iterator[Finding]:
    from newscrawl.monitoring.doctor import project

    config = config_of(settings)
    now = partial(datetime.now, UTC)
    start = "start the database, or correct NEWSCRAWL_DATABASE_URL"
    of_database = made_within("database", DATABASE_DEADLINE, lambda: check_database(config, now), start)
    yield from of_database
    place, disk, sample = "the disk of the archive", DISK_DEADLINE, SAMPLE_DEADLINE
    if is_object_store(config.archive.url):
        place, disk, sample = "the object store", STORE_DEADLINE, STORE_DEADLINE
    yield from made_within("archive", disk, lambda: check_archive(config), f"see that {place} works")
    if any(finding.check == "database" and finding.state == "to do" for finding in of_database):
        yield skipped("captures", "needs the database")
    else:
        advice = "see that the database and the place of the archive answer"
        yield from made_within("captures", sample, lambda: check_captures(config), advice)
    yield from made("contact", lambda: project.check_contact(settings))
    yield from made("declarations", lambda: project.check_declarations(settings))
    if offline:
        yield from (skipped(check, "left out by --offline") for check in ("alarms", "sites"))
        return
    yield from check_alarms(config, now(), send=send)
    yield from made("sites", lambda: project.check_sites(settings))


def check_memory(workers: int) -> Findings:
    """Returns whether the machine or container has the memory of a fleet. `workers` is the number of worker processes,
    0 for one for each core."""
    try:
        total, free = _memory()
    except (OSError, KeyError, ValueError):
        return [skipped("memory", "this system does not say how much there is")]
    number = workers or os.cpu_count() or 1
    text = f"{_gb(total)}, {_gb(free)} free, for {counted(number, 'worker')}"
    if total < MIN_MEMORY:
        return [to_do("memory", text, "give it 2 GB, or set NEWSCRAWL_EXTRACT_WORKERS=1 and crawl few sites at once")]
    if free < MIN_FREE_MEMORY:
        return [to_do("memory", text, "end other programs, or set NEWSCRAWL_EXTRACT_WORKERS to fewer workers")]
    return [ok("memory", text)]


def _memory() -> tuple[int, int]:
    """Returns the bytes of memory, all and free, of the machine or of its container if that has less."""
    lines = dict(line.split(":", 1) for line in _MEMORY_INFO.read_text(encoding="utf-8").splitlines())
    total, free = (int(lines[name].split()[0]) * 1_024 for name in ("MemTotal", "MemAvailable"))
    with contextlib.suppress(OSError, ValueError):  # "max", or no control group
        limit = int(_CONTAINER_LIMIT.read_text(encoding="utf-8"))
        total, free = min(total, limit), min(free, limit)
    return total, free


def check_database(config: Config, now: Callable[[], datetime]) -> Findings:
    """Returns the findings on the database. Raises StorageError if it cannot be read."""
    before = now()
    condition = look_at(database_of(config))
    return list(judge(condition, free_beside(condition), before, now()))


def free_beside(condition: DatabaseCondition) -> int | None:
    """Returns the free bytes of the disk of a SQLite database; None for a server, whose disk cannot be seen."""
    return shutil.disk_usage(condition.file.parent).free if condition.file is not None else None


def judge(condition: DatabaseCondition, free: int | None, before: datetime, after: datetime) -> Iterator[Finding]:
    """Yields the findings on a database that answered between two times of this machine's clock (aware). `free` are the
    free bytes of its disk, None if unknown."""
    yield _state(condition)
    yield _disk(condition, free)
    if condition.file is not None:
        yield ok("statistics", "SQLite needs none")
        yield _clock(condition, before, after)
        return
    if condition.without_statistics:
        names = ", ".join(condition.without_statistics[:3])
        yield to_do("statistics", f"never made for {names}", "run ANALYZE in the database, and turn autovacuum on")
    else:
        yield ok("statistics", "made for all large tables")
    yield _clock(condition, before, after)


def _state(condition: DatabaseCondition) -> Finding:
    text = f"{condition.product}, {condition.name}"
    if not condition.exists:
        return ok("database", f"{text}: the first crawl creates it")
    if not condition.is_current:
        return to_do("database", f"{text}: no tables, or those of an older newscrawl", "run `newscrawl db upgrade`")
    if condition.refusal:
        return to_do("database", condition.refusal, "give newscrawl's user the right to write there, and free space")
    return ok("database", f"{text}: a write was tried and undone")


def _disk(condition: DatabaseCondition, free: int | None) -> Finding:
    size = f"the database has {_gb(condition.size, 2)}"
    if free is None:
        return ok("disk", f"{size}; watch the free space on its server")
    text = f"{size}, {_gb(free, 2)} are free"
    if free < max(MIN_FREE, condition.size):
        return to_do("disk", text, "make room: an upgrade or back-up needs as much space again, and at least 1 GB")
    return ok("disk", text)


def _clock(condition: DatabaseCondition, before: datetime, after: datetime) -> Finding:
    if wrong := compare_clocks(before, after, condition.clock, condition.newest):
        return to_do("clock", *wrong)
    if condition.clock is None:
        return ok("clock", "the database uses this machine's clock")
    return ok("clock", f"the database's shows {condition.clock:%Y-%m-%d %H:%M:%S} UTC, this machine's {after:%H:%M:%S}")


def check_archive(config: Config) -> Findings:
    """Returns whether pages can be written into the archive, its disk has the free space that crawls need, and its
    object store, if there is one, takes and gives a file."""
    archive = archive_settings(config)
    if archive is None:
        return [ok("archive", "off")]
    folder = archive.folder
    nearest = next(each for each in (folder, *folder.parents) if each.exists())
    if not nearest.is_dir():
        return [to_do("archive", f"{nearest} is a file", "name another folder in NEWSCRAWL_ARCHIVE_URL")]
    try:
        with tempfile.TemporaryFile(dir=nearest) as file:
            file.write(b"newscrawl doctor\n")
    except OSError as error:
        advice = "see that the user who runs newscrawl may write there, or set another NEWSCRAWL_ARCHIVE_URL"
        return [to_do("archive", f"cannot write into {nearest}: {os_reason(error)}", advice)]
    free, needed = shutil.disk_usage(nearest).free, int(config.archive.min_free_gb * GIGABYTE)
    text = f"{folder}, {_gb(free)} free"
    objects = archive.objects
    if objects is not None:
        objects.try_out()
        text = f"{objects.address}; files grow in {text}"
    if free < needed:
        limit = "let the object store take the files" if objects is not None else "lower NEWSCRAWL_ARCHIVE_MAX_GB"
        advice = f"make room, or {limit}: fetching pauses until then"
        return [to_do("archive", f"{text}, fewer than the {_gb(needed)} of NEWSCRAWL_ARCHIVE_MIN_FREE_GB", advice)]
    return [ok("archive", text)]


def check_captures(config: Config) -> Findings:
    """Returns whether the files of this machine are in its folder, and whether a sample of its captures, and of those
    in its object store, can be read. Raises StorageError."""
    folder, machine = folder_of(config), machine_of(config)
    if folder is None:
        return [ok("captures", "the archive is off")]
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
        return [skipped("captures", "there is no database yet")]
    found: list[Finding] = []
    left = sum(not is_written(path) for path in folder.glob(f"*{SUFFIX}{OPEN}"))
    if left:
        text = counted(left, "file of an ended process is open", "files of ended processes are open")
        these = "them" if left > 1 else "it"
        found.append(ok("captures", f"{text}: the next crawl that archives a page closes {these}"))
    if missing:
        files_gone = counted(len(missing), "archive file is", "archive files are")
        number = counted(in_missing, "capture")
        text = f"{files_gone} gone from {folder}, with {number}: {_first(missing[0].name, missing)}"
        found.append(to_do("captures", text, f"copy them back from a back-up; {READ_ALL}"))
    if damaged:
        text = f"{counted(damaged, 'capture was', 'captures were')} damaged when a crawl ended"
        found.append(
            ok("captures", f"{text}: they are used no more, and their pages are archived again when they are fetched")
        )
    spots = [(row, row.capture.body or row.capture.spot) for row in drawn]
    unreadable = [spot for row, spot in spots if not is_readable(*here[spot.file], row)]
    if unreadable:
        first = _first(f"{here[unreadable[0].file][1]} at byte {unreadable[0].offset}", unreadable)
        text = f"{len(unreadable)} of {counted(len(drawn), 'capture')} drawn at random cannot be read: {first}"
        found.append(to_do("captures", text, READ_ALL))
    elif drawn or not missing:
        found.append(ok("captures", f"{counted(len(drawn), 'capture')} drawn at random can be read"))
    return found


def _first(named: str, of: Sized) -> str:
    return f"{named}, ..." if len(of) > 1 else named


def check_alarms(config: Config, now: datetime, *, send: bool) -> Iterator[Finding]:
    """Yields a finding for each receiver of alarms that is set: whether webhook and mail server answer. Nothing is sent
    but a greeting; with `send`, each gets a test alarm."""
    if not config.monitoring.alert_webhook and not config.monitoring.alert_mail_host:
        none = "no receiver is set"
        how = "set NEWSCRAWL_ALERT_WEBHOOK or NEWSCRAWL_ALERT_MAIL_HOST (docs/how-to/watchdog.md)"
        yield to_do("alarms", none, how) if send else skipped("alarms", none)
        return
    said = "a test of the receivers of alarms (newscrawl doctor --send-test-alarm); nothing is wrong"
    alarm = alarm_values(Alarm(FLEET, "test", "warning", now, now, said, {}, id=0), "opened") if send else None
    webhook = partial(_asked, "webhook", AlarmWebhook.of, config, alarm)
    yield from made_within("webhook", RECEIVER_DEADLINE, webhook, REACH_RECEIVER)
    mailing = partial(_asked, "mail", mail.AlarmMail.of, config, alarm)
    yield from made_within("mail", RECEIVER_DEADLINE, mailing, REACH_RECEIVER)


def _asked(
    name: str,
    receiver_of: Callable[[Config], AlarmWebhook | mail.AlarmMail | None],
    config: Config,
    alarm: Mapping[str, Any] | None,
) -> Findings:
    """Returns whether a receiver accepts the alarm, or, without one, a greeting; nothing if it is not set."""
    receiver = receiver_of(config)
    if receiver is None:
        return []
    problem = receiver.greet() if alarm is None else receiver.deliver(alarm)
    if problem is not None:
        text = problem.reason if alarm is None else f"the test alarm was not accepted: {problem.reason}"
        return [to_do(name, text, REACH_RECEIVER)]
    return [ok(name, "it answers; nothing was sent" if alarm is None else "it accepted a test alarm")]


def _gb(number: int, digits: int = 1) -> str:
    return f"{number / GIGABYTE:.{digits}f} GB"
