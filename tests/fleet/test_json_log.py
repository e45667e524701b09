"""With NEWSCRAWL_LOG_FORMAT=json, standard error of `newscrawl run` and `scrapy crawl` is one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fleet_process import FleetProcess


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def make(make_fleet: Callable[..., FleetProcess], **settings: str) -> FleetProcess:
    """A fleet of one site whose front page and one file of spiders/ fail."""
    fleet = make_fleet(
        sites=1, world={"mean_gap": 1e9, "pleas": 0.0}, NEWSCRAWL_TIME_SCALE=1, NEWSCRAWL_LOG_FORMAT="json", **settings
    )
    local = fleet.folder / "spiders" / "local.py"
    feeds = local.read_text("utf-8").replace("/feed.xml", "/nothing.xml?token=hidden")
    local.write_text(feeds, "utf-8")
    (fleet.folder / "spiders" / "broken.py").write_text("import nothing_of_this_name\n", "utf-8")
    return fleet


@pytest.mark.parametrize("words", [("newscrawl.cli", "run", "--once"), ("scrapy", "crawl", "site0")], ids=" ".join)
def test_every_line_is_an_object(make_fleet: Callable[..., FleetProcess], words: tuple[str, ...]) -> None:
    done = make(make_fleet).command(*words)
    assert done.returncode == (1 if "run" in words else 0), done.stderr  # `run` could not crawl the site of broken.py
    found = objects(done.stderr)
    assert all({"time", "level", "logger", "message"} <= set(line) for line in found)
    (failed,) = [line for line in found if "nothing.xml" in line["message"]]
    assert failed["site"] == "site0"
    assert failed["url"].endswith("/nothing.xml?token=***")
    assert failed["reason"] == "http/404"
    assert any("broken.py" in line["message"] for line in found)
    assert "hidden" not in done.stderr


def test_an_error_that_ends_the_command_is_an_object(make_fleet: Callable[..., FleetProcess]) -> None:
    done = make(make_fleet, NEWSCRAWL_DELAY="none").command("newscrawl.cli", "run", "--once")
    assert done.returncode == 2
    assert any("NEWSCRAWL_DELAY" in line["message"] for line in objects(done.stderr)), done.stderr


def test_the_log_file_of_scrapy_gets_the_lines(make_fleet: Callable[..., FleetProcess], tmp_path: Path) -> None:
    log = tmp_path / "crawl.log"
    log.write_text("old\n", "utf-8")
    words = ("scrapy", "crawl", "site0", "-s", f"LOG_FILE={log}", "-s", "LOG_FILE_APPEND=0")
    done = make(make_fleet).command(*words)
    assert done.returncode == 0, done.stderr
    assert any(line.get("site") == "site0" for line in objects(log.read_text("utf-8")))


def test_another_format_is_refused(make_fleet: Callable[..., FleetProcess]) -> None:
    fleet = make(make_fleet)
    fleet.environment["NEWSCRAWL_LOG_FORMAT"] = "xml"
    done = fleet.command("newscrawl.cli", "run", "--once")
    assert done.returncode == 2
    assert "NEWSCRAWL_LOG_FORMAT" in done.stderr
    assert "give text or json" in done.stderr
