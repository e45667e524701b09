"""`newscrawl doctor`: checks the settings, the machine and the network before a crawl, and says what to do.

The modules of the checks are imported when they are used, because some read settings when they are imported.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from newscrawl.cli.common.saying import say
from newscrawl.cli.doctor.findings import Finding, Findings, made, made_within, skipped
from newscrawl.cli.doctor.memory import check_memory
from newscrawl.errors import UsageError
from newscrawl.identity.masking import masked
from newscrawl.model import is_object_store
from newscrawl.wording import counted

if TYPE_CHECKING:
    from newscrawl.cli.doctor.checks import ProjectState

DISK_DEADLINE: Final = 5.0
"""Seconds for a check that only reads and writes a folder, which may be on a network's disk."""
SAMPLE_DEADLINE: Final = 20.0
"""Seconds for reading a sample of captures from a folder, and the files' names from the database."""
STORE_DEADLINE: Final = 60.0
"""Seconds for a check of an object store, which retries what may pass."""
AFTER_SETTINGS: Final = (
    *("database", "disk", "statistics", "clock", "archive", "captures", "contact", "declarations", "alarms", "sites"),
)


@click.command(
    name="doctor",
    short_help="Check settings, database, machine and sites.",
    epilog="""\b
Examples:
  newscrawl doctor
  newscrawl doctor --offline             without requests to sites and receivers of alarms
  newscrawl doctor --send-test-alarm     one alarm through webhook and mail
  newscrawl doctor --json | jq '.checks[] | select(.state == "to do")'""",
)
@click.option("--offline", is_flag=True, help="Make no request to a site, webhook or mail server.")
@click.option("--send-test-alarm", is_flag=True, help="Send a test alarm to the webhook and by mail.")
@click.option("--json", "as_json", is_flag=True, help="Print all findings as a JSON object.")
def command(*, offline: bool, send_test_alarm: bool, as_json: bool) -> None:
    """Check what a crawl needs. Each check prints one line: ok, or what to do.

    The checks are the settings, the database (version, tables, a write that is undone, disk, statistics, clock), the
    archive, a sample of the captures in it, the contact, the memory, the declarations of sites, the webhook and the
    mail server of alarms (a connection and a greeting), and robots.txt of two declared sites, which is requested by the
    rules of a crawl. Each check has a deadline. Exit code 1 if a check found a problem.
    """
    if offline and send_test_alarm:
        raise UsageError("options --offline and --send-test-alarm: give one of them")
    findings = list(_findings(offline=offline, send=send_test_alarm))
    waiting = [finding for finding in findings if finding.state == "to do"]
    if as_json:
        click.echo(json.dumps({"ok": not waiting, "checks": list(map(_as_object, findings))}, indent=2))
    else:
        width = max(len(finding.check) for finding in findings)
        for finding in findings:
            say(f"{finding.check:{width}}  {finding.state:7}  {_shown(finding)}")
        say("all ok" if not waiting else f"{counted(len(waiting), 'thing')} to do")
    raise SystemExit(1 if waiting else 0)


def _findings(*, offline: bool, send: bool) -> Iterator[Finding]:
    states: list[ProjectState] = []

    def settings() -> Findings:
        from newscrawl.cli.doctor.checks import check_settings

        state, found = check_settings(os.environ)
        states.extend([state] if state is not None else [])
        return found

    yield from made("settings", settings)
    workers = states[0].config.workers.count if states else 0
    yield from made("memory", lambda: check_memory(workers))
    if states:
        yield from _after_settings(states[0], offline=offline, send=send)
    else:
        yield from (skipped(check, "needs the settings") for check in AFTER_SETTINGS)


def _after_settings(state: ProjectState, *, offline: bool, send: bool) -> Iterator[Finding]:
    from newscrawl.cli.doctor.alarms import check_alarms
    from newscrawl.cli.doctor.captures import check_captures
    from newscrawl.cli.doctor.checks import check_archive, check_contact, check_declarations
    from newscrawl.cli.doctor.database import ADVICE, DEADLINE, check_database

    of_database = made_within(
        "database", DEADLINE, lambda: check_database(state.config, lambda: datetime.now(UTC)), ADVICE
    )
    yield from of_database
    is_remote = is_object_store(state.config.archive.url)
    yield from made_within(
        "archive",
        STORE_DEADLINE if is_remote else DISK_DEADLINE,
        lambda: check_archive(state.config),
        f"see that {'the object store' if is_remote else 'the disk of the archive'} works",
    )
    if any(finding.check == "database" and finding.state == "to do" for finding in of_database):
        yield skipped("captures", "needs the database")
    else:
        yield from made_within(
            "captures",
            STORE_DEADLINE if is_remote else SAMPLE_DEADLINE,
            lambda: check_captures(state.config),
            "see that the database and the place of the archive answer",
        )
    yield from made("contact", lambda: check_contact(state))
    yield from made("declarations", lambda: check_declarations(state))
    if offline:
        yield from (skipped(check, "left out by --offline") for check in ("alarms", "sites"))
        return
    yield from check_alarms(state.config, datetime.now(UTC), send=send)
    yield from made("sites", lambda: _sites(state))


def _sites(state: ProjectState) -> Findings:
    from newscrawl.cli.doctor.sites import check_sites  # loads the crawl

    return check_sites(state)


def _shown(finding: Finding) -> str:
    return f"{finding.text}; {finding.advice}" if finding.advice else finding.text


def _as_object(finding: Finding) -> dict[str, str]:
    return {name: masked(value) for name, value in asdict(finding).items()}
