"""Has the watchdog of newscrawl at commit f8365dd, the last on schema 0016, learn five sites, and notes its alarms.

It runs with that code and not with today's, so nothing here may be changed to fit newer names:

    git worktree add ../old f8365dd            # and install it there
    cd ../old && python .../tests/upgrade/fill_0016.py .../tests/upgrade

writes learned_0016.json: the rows of `baselines`, `observations`, `alarms` and `sites` as SQLite has them, the pages
that come next, hour by hour, and what the watchdog and the review gate made of each.
"""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from newscrawl.crawling.monitoring.checks import Watching, check

from newscrawl.crawling.monitoring.review_gate import remembered, take_in
from newscrawl.monitoring.page_checks import doubts
from newscrawl.storage import open_store
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring.baselines import Observation
from newscrawl.storage.tables.columns import observations

BEGAN = datetime(2026, 10, 5, tzinfo=UTC)  # a Monday
HOUR = timedelta(hours=1)
LEARNED = 10 * 24
NEXT = 24
EACH = {"harbour": 2, "valley": 2, "ridge": 1, "moor": 1, "marsh": 1}
TABLES = ("baselines", "observations", "alarms", "sites")


def word(*parts: object) -> str:
    """A short hash."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=4).hexdigest()


def usual(chance: random.Random, site: str, number: int, at: datetime) -> dict:
    """What a page of a site as it always was came to."""
    length = int(chance.lognormvariate(7.9, 0.6))
    values = {
        "site": site,
        "at": at + timedelta(minutes=chance.randint(0, 50), seconds=chance.randint(0, 59)),
        "is_new": True,
        "published": at - timedelta(minutes=3) if chance.random() < 0.9 else None,
        "failure": None,
        "verdict": "article" if length > 450 else "short",
        "characters": length,
        "titled": True,
        "authored": chance.random() < 0.7,
        "dated": chance.random() < 0.95,
        "fell_back": chance.random() < 0.05,
        "page": word(site, number),
        "text": word(site, number if chance.random() < 0.95 else number // 3, "text"),
        "doubted": False,
    }
    if chance.random() < 0.03:
        values |= failed(chance.choice(["extraction/empty", "verdict/listing", "http/500"]))
    return values


def failed(kind: str) -> dict:
    """What differs for a page without an article."""
    absent = dict.fromkeys(("titled", "authored", "dated", "fell_back"), False)
    return {"failure": kind, "verdict": None, "characters": 0, "published": None, "text": None, **absent}


def changed(site: str, hour: int, number: int) -> dict:
    """What a page comes to after something has happened to its site."""
    if site == "valley" and LEARNED - 8 <= hour < LEARNED + 10:  # a redesign, and its repair
        return [{"characters": 90, "verdict": "short", "doubted": number % 2 == 0}, failed("extraction/empty")][
            number % 2
        ]
    if site == "ridge" and hour >= LEARNED + 4:
        return {"text": word("the same notice")}
    if site == "harbour" and hour >= LEARNED + 6:
        return {"dated": False, "published": None}
    if site == "marsh" and hour >= LEARNED + 2:
        return {"titled": False, "doubted": True} if hour % 3 else failed("verdict/listing") | {"doubted": True}
    return {}


def pages_of(chance: random.Random, hour: int) -> list[dict]:
    """The pages of one hour. `moor` falls silent; `marsh` is new."""
    rows = []
    for site, each in EACH.items():
        if (site == "moor" and hour >= LEARNED) or (site == "marsh" and hour < LEARNED - 45):
            continue
        for one in range(each):
            number = hour * 10 + one
            rows.append(usual(chance, site, number, BEGAN + hour * HOUR) | changed(site, hour, number))
    return rows


def insert(connection, rows) -> None:
    connection.execute(observations.insert(), rows)


def live(store, hour: int) -> list[list]:
    """The crawls of an hour end and the watchdog looks; the alarms that it opens and closes."""
    at = BEGAN + (hour + 1) * HOUR
    for site in EACH:
        store.run(sites.note_finish, site, at).result()
    found = []
    more = True
    while more:
        news = store.run(check, at, Watching(None, BEGAN)).result()
        found += [
            ["opened", one.site, one.kind, one.severity, one.since.isoformat(), one.message, one.details]
            for one in news.opened
        ]
        found += [["closed", one.site, one.kind] for one in news.closed]
        more = news.more
    return found


def suspected(store, rows: list[dict]) -> list[list[str]]:
    """For each of the pages, why it is not believed if it comes now, alone."""
    found = []
    for row in rows:
        memory = store.run(remembered, row["site"]).result()
        take_in(memory.pages, Observation(**row | {"doubted": False}), is_alarm=memory.is_alarm)
        found.append(list(doubts(memory.pages, memory.alarmed)))
    return found


def dumped(path: Path) -> dict:
    """The rows of the tables that the watchdog uses."""
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in TABLES}


def plain(row: dict) -> dict:
    return {key: value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}


def main(folder: Path) -> None:
    chance = random.Random(16)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "news.db"
        with open_store(f"sqlite:///{path}", upgrade=True) as store:
            for hour in range(LEARNED):
                store.run(insert, pages_of(chance, hour)).result()
                live(store, hour)
            store.run(insert, waiting := pages_of(chance, LEARNED)).result()
        learned = dumped(path)
        assert len(learned["observations"]) == len(waiting)
        hours = []
        with open_store(f"sqlite:///{path}", upgrade=False) as store:
            for hour in range(LEARNED, LEARNED + NEXT):
                rows = pages_of(chance, hour) if hour > LEARNED else []
                doubted = suspected(store, rows)
                if rows:
                    store.run(insert, rows).result()
                alarms = live(store, hour)
                at = (BEGAN + (hour + 1) * HOUR).isoformat()
                hours.append({"at": at, "pages": [plain(row) for row in rows], "doubts": doubted, "alarms": alarms})
    lines = ",\n".join(json.dumps(hour, separators=(",", ":")) for hour in hours)
    rows = ",\n".join(f'"{name}":{json.dumps(found, separators=(",", ":"))}' for name, found in learned.items())
    text = f'{{"began":"{BEGAN.isoformat()}","learned":{{\n{rows}\n}},"hours":[\n{lines}\n]}}\n'
    (folder / "learned_0016.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
