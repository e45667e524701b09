"""`newscrawl machines`: lists the machines and processes that crawl, or declares a machine out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from operator import itemgetter

import click

from newscrawl.cli.common.project import database_option, project_reader, required_config
from newscrawl.cli.common.show import Column, show
from newscrawl.cli.common.words import counted, operator_name, say
from newscrawl.config.derived.stores import store_of
from newscrawl.errors import MissingDatabase, UsageError, meant
from newscrawl.reports import fleet
from newscrawl.reports.fleet import Machine
from newscrawl.storage import machines
from newscrawl.storage.captures import archive_files, locations

MAX_SITES = 5
"""Largest number of sites that are named in a row of the table; `--json` has all."""


@click.group(
    invoke_without_command=True,
    epilog="""\b
Examples:
  newscrawl machines
  newscrawl machines --json
  newscrawl machines remove crawler-3""",
)
@click.option("--json", "as_json", is_flag=True, help="Print them as a JSON list.")
@database_option
@click.pass_context
def command(context: click.Context, *, as_json: bool) -> None:
    """List the machines that crawled with the database: their processes, the sites that each crawls now, and the object
    stores that hold archive files.

    A machine is `gone` if one of its processes neither ended nor was seen for three minutes. Then an alarm is open, and
    other machines take over its sites. The name of a machine is NEWSCRAWL_MACHINE, or its host name.
    """
    if context.invoked_subcommand is not None:
        return
    found: list[Machine] = []
    stores: dict[str, int] = {}
    try:
        with project_reader() as connection:
            found = fleet.machines(connection)
            stores = archive_files.object_stores(connection)
    except MissingDatabase:
        pass
    rows = found if as_json else [row for machine in found for row in _rows(machine)]
    show(rows, COLUMNS, as_json=as_json, ascii_only=True, empty="no machine has crawled with this database yet")
    for address, files in stores.items() if not as_json else ():
        say(f"object store {address}: {counted(files, 'archive file')}")


@command.command(
    name="remove",
    short_help="Declare a machine out of reach.",
    epilog="""\b
Examples:
  newscrawl machines remove crawler-3""",
)
@click.argument("name")
def remove(name: str) -> None:
    """Declare that a machine is out of reach for good: its alarm is closed, and nothing waits for it any longer.

    `newscrawl forget` then says "done except NAME, removed". The command is refused while a process crawls there. A
    removed machine that crawls again is registered again. Before it fetches, it removes forgotten pages from its
    archive.
    """
    by = operator_name()
    with store_of(required_config()) as store:
        with store.reading() as connection:
            crawled = [machine.name for machine in fleet.machines(connection)]
            names = sorted({*crawled, *(file.machine for file in locations.files(connection) if file.machine)})
            living = machines.living_on(connection, name)
        if name not in names:
            raise UsageError(f"unknown machine {name!r}: {meant(name, names)}`newscrawl machines` lists them")
        if living:
            process = living[0]
            raise UsageError(
                f"machine {name!r} is alive: {process.role} ({process.process}) was seen at "
                f"{process.last_seen:%H:%M:%S} UTC; stop it first"
            )
        store.run(machines.remove, name, by).result()
    say(f"removed: {name}, by {by}")


HEADS = ("machine", "state", "process", "version", "since (UTC)", "last seen", "crawls")
COLUMNS = tuple(Column(head, itemgetter(number), fold=True) for number, head in enumerate(HEADS))


def _rows(machine: Machine) -> Iterator[tuple[str, ...]]:
    if not machine.processes:
        state = f"removed by {machine.removed_by}" if machine.removed_at else "idle"
        yield machine.name, state, "", "", _moment(machine.since), _moment(machine.last_seen), ""
    for one in machine.processes:
        names = (machine.name, machine.state, f"{one.role} ({one.number})", one.version)
        yield (*names, _moment(one.since), _moment(one.last_seen), _named(one.sites))


def _named(sites: tuple[str, ...]) -> str:
    more = len(sites) - MAX_SITES
    return ", ".join(sites[:MAX_SITES]) + (f" and {more} more" if more > 0 else "")


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"
