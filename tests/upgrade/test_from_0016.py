"""What the watchdog learned on schema 0016 is converted: the same pages get the same alarms as before the upgrade."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import released
import sqlalchemy as sa
from alembic import command
from patience import PATIENCE

from newscrawl.monitoring.page_checks import add_stored, last_page_problems
from newscrawl.monitoring.page_sample import PageSample
from newscrawl.storage import Store, migrations, open_store
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import baselines, samples
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.monitoring.checks import WatchScope, check, remembered

REVISION = "0016"
KINDS = {("harbour", "extraction"), ("ridge", "extraction"), ("marsh", "extraction"), ("moor", "quiet")}
MESSAGE = ("`newscrawl held` shows what is held back", "`newscrawl review list` shows what is held for review")
"""What revision 0017 and today's code say instead."""
PROBLEM = ("text not believed", "suspect text")
"""What revision 0031 and today's code call a problem."""
SUSPECT = ("suspect text on", "text held for review, or read by another extractor, on")
"""What today's messages say for that problem."""
NAMES = {
    "at": "fetched_at",
    "titled": "has_title",
    "authored": "has_authors",
    "dated": "has_date",
    "fell_back": "used_fallback",
    "page": "page_hash",
    "text": "text_hash",
    "doubted": "is_suspect",
}
"""What the fixture's pages call the fields of a sample that have another name today."""


@pytest.fixture(scope="module")
def then() -> dict[str, Any]:
    """What tests/upgrade/fill_0016.py wrote."""
    text = Path(__file__).with_name("learned_0016.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text.replace(*MESSAGE).replace(*PROBLEM).replace(*SUSPECT))
    return found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def learned(request: pytest.FixtureRequest, tmp_path: Path, then: dict[str, Any]) -> str:
    """The address of a database on the old schema, with what the watchdog had learned."""
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'old.db'}" if is_sqlite else request.getfixturevalue("empty_postgresql")
    engine = make_engine(parse_url(url), foreign_keys=False, pooled=False)
    with begin_write(engine) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, REVISION)
    with begin_write(engine) as connection:
        schema = sa.MetaData()
        schema.reflect(connection, only=list(then["learned"]))
        for name, rows in then["learned"].items():
            insert_old(connection, schema.tables[name], rows)
    engine.dispose()
    return url


def insert_old(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    columns = table.columns
    connection.execute(
        table.insert(),
        [{name: released.converted(value, columns[name].type) for name, value in row.items()} for row in rows],
    )
    if "id" in columns and connection.dialect.name == "postgresql":
        last = {"table": table.name, "last": max(row["id"] for row in rows)}
        connection.execute(sa.text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)"), last)


def wait(store: Store, function: Any, *given: Any) -> Any:
    return store.run(function, *given).result(timeout=PATIENCE)


def test_the_watchdog_judges_the_next_pages_as_it_did_before_the_upgrade(learned: str, then: dict[str, Any]) -> None:
    began = datetime.fromisoformat(then["began"])
    opened = set()
    with open_store(learned, upgrade=True) as store:
        for hour in then["hours"]:
            at = datetime.fromisoformat(hour["at"])
            pages = [(row["site"], sample_of(row)) for row in hour["pages"]]
            doubts = [[] if doubt == ["published missing"] else doubt for doubt in hour["doubts"]]  # no doubt any more
            assert [suspected(store, *page) for page in pages] == doubts, at
            wait(store, samples.append, pages)
            for row in then["learned"]["sites"]:
                wait(store, sites.note_finish, row["site"], at)
            changes = wait(store, check, at, WatchScope(None, began))
            assert changes.damaged == 0
            assert described(changes.opened, changes.closed) == hour["alarms"], at
            opened |= {(one.site, one.kind) for one in changes.opened}
    assert opened == KINDS


def test_a_baseline_that_cannot_be_read_is_learned_anew_and_the_others_stay(learned: str) -> None:
    with begin_write(make_engine(parse_url(learned), pooled=False)) as connection:
        connection.execute(
            sa.text("UPDATE baselines SET base = '7a15x2 ' || base, volume = '{' WHERE site = 'harbour'")
        )
    with open_store(learned, upgrade=True) as store:
        extractions = wait(store, baselines.load_extractions, ["harbour", "valley"])
        volumes = wait(store, baselines.load_volumes, ["harbour", "valley"])
    assert (extractions.damaged, volumes.damaged) == (frozenset(), frozenset())
    assert extractions.by_site["harbour"].usual == ()
    assert len(extractions.by_site["valley"].usual) == 400
    assert volumes.by_site["harbour"].since is None
    assert sum(volumes.by_site["valley"].counts.values()) > 400


def sample_of(row: dict[str, Any]) -> PageSample:
    """A page of the fixture as today's code would note it."""
    values = {NAMES.get(name, name): value for name, value in row.items() if name != "site"}
    for name in ("fetched_at", "published"):
        values[name] = datetime.fromisoformat(values[name]) if values[name] else None
    return PageSample(**values)


def suspected(store: Store, site: str, sample: PageSample) -> list[str]:
    """Why the page is not believed if it comes now, as the review gate asks."""
    memory = wait(store, remembered, site)
    first = replace(sample, is_suspect=False)
    add_stored(memory.baseline, first, is_alarm=memory.is_alarm)
    return list(last_page_problems(memory.baseline, memory.alarmed))


def _without_pages(alarm: Alarm) -> str:
    """The message without what it says about suspect pages, which it did not before."""
    return re.sub(r"; suspect pages: [^;]+", "", alarm.message)


def described(opened: tuple[Alarm, ...], closed: tuple[Alarm, ...]) -> list[list[Any]]:
    """Alarms as the fixture has them."""
    now = [
        ["opened", one.site, one.kind, one.severity, one.since.isoformat(), _without_pages(one), dict(one.details)]
        for one in opened
    ]
    return now + [["closed", one.site, one.kind] for one in closed]
