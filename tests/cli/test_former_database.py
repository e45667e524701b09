"""A database from before the first release: the line that names the way, and what is carried over from it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

Call = Callable[..., Result]

TABLES = """
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
INSERT INTO alembic_version VALUES ('0041');
CREATE TABLE blocklist ("key" VARCHAR(4104) NOT NULL PRIMARY KEY, at DATETIME NOT NULL);
INSERT INTO blocklist VALUES ('url:https://harbour.example/a', '2026-11-02 10:00:00.000000');
INSERT INTO blocklist VALUES ('site:meadow', '2026-11-01 09:30:00.000000');
CREATE TABLE forgotten (
    id INTEGER PRIMARY KEY, at DATETIME NOT NULL, kind VARCHAR(16) NOT NULL, site TEXT, pages INTEGER NOT NULL,
    articles INTEGER NOT NULL, on_blocklist BOOLEAN NOT NULL, who TEXT, reason TEXT
);
INSERT INTO forgotten VALUES (1, '2026-11-02 10:00:00.000000', 'page', 'harbour', 2, 1, 1, 'olga', 'asked to');
CREATE TABLE archive_removals (id INTEGER PRIMARY KEY, machine VARCHAR(200), done_at DATETIME);
"""
"""The tables that are read, as schema 0041 had them."""


@pytest.fixture
def former(tmp_path: Path) -> Path:
    file = tmp_path / "former.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(TABLES)
    return file


def test_every_command_names_the_way(call: Call, former: Path, tmp_path: Path) -> None:
    former.rename(tmp_path / "news.db")
    for command in (("status",), ("db", "upgrade"), ("export",), ("forget", "--blocked")):
        done = call(*command)
        assert done.exit_code == 2
        assert done.stderr.count("\n") == 1
        assert "has schema 0041, from before the first release, and is not upgraded: set" in done.stderr
        assert "run `newscrawl ingest` with the archive" in done.stderr


def test_blocks_and_the_register_are_carried_over(call: Call, former: Path) -> None:
    done = call("forget", "--carry-over", f"sqlite:///{former}")
    assert (done.exit_code, done.stdout) == (0, "carried over: 2 blocks and 1 entry of the register\n")
    blocked = [json.loads(line) for line in call("forget", "--blocked", "--json").stdout.splitlines()]
    assert [(one["blocked"], one["since"][:10]) for one in blocked] == [
        ("site meadow", "2026-11-01"),
        ("https://harbour.example/a", "2026-11-02"),
    ]
    entry = json.loads(call("forget", "--register", "--json").stdout)
    assert (entry["site"], entry["pages"], entry["who"], entry["reason"]) == ("harbour", 2, "olga", "asked to")


def test_machines_that_had_not_removed_what_was_forgotten_are_named(call: Call, former: Path) -> None:
    with sqlite3.connect(former) as connection:
        connection.execute("INSERT INTO archive_removals VALUES (1, 'bert', NULL), (2, 'anna', '2026-11-02 10:00:00')")
    connection.close()
    done = call("forget", "--carry-over", f"sqlite:///{former}")
    assert done.exit_code == 1
    assert "archive files of bert may still contain what was forgotten" in done.stderr


def test_it_is_not_mixed_with_other_work(call: Call, former: Path) -> None:
    for more in (("--block",), ("--blocked",), ("https://harbour.example/a",), ("--reason", "asked")):
        done = call("forget", "--carry-over", f"sqlite:///{former}", *more)
        assert done.exit_code == 2
