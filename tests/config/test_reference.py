"""The settings reference agrees with the catalogue."""

from __future__ import annotations

from pathlib import Path

from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.reference import markdown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "settings.md"


def test_the_page_is_the_generated_one() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == markdown(), "write it again: make reference"


def test_the_page_names_every_setting_with_its_default_range_and_meaning() -> None:
    page = markdown()
    for name, setting in CATALOGUE.items():
        assert f"| `{name}` |" in page
        assert f"- `{name}`: {setting.doc}" in page
    row = "| `NEWSCRAWL_MAX_HOST_WAIT` | number, seconds | 3600 | from 0 to 2,592,000 | yes |"
    assert row in page.splitlines()
