"""The settings reference agrees with the catalogue."""

from __future__ import annotations

from pathlib import Path

from newscrawl.config.catalogue import GROUPS
from newscrawl.config.reference import markdown, meanings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "settings.md"


def test_the_page_is_the_generated_one() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == markdown(), "write it again: make reference"


def test_the_page_names_every_setting_with_its_default_range_and_meaning() -> None:
    page = markdown()
    for _, group, settings in GROUPS:
        told = meanings(group)
        for attribute, setting in settings.items():
            assert told[attribute].endswith(".")
            (line,) = [line for line in page.splitlines() if line.startswith(f"| `{setting.name}` |")]
            assert line.endswith(f" | {told[attribute]} |")
    assert "| `NEWSCRAWL_MAX_HOST_WAIT` | number, seconds; default 3600; from 0 to 2,592,000; per site | " in page
    assert "| `NEWSCRAWL_DELAY` | number, seconds; default 1; from 0 to 86,400; for a site: declare `delay` | " in page
