"""The lists of words and phrases are written as people who add a language expect them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

import newscrawl
from newscrawl.extraction.cleanup.cues import fold
from newscrawl.model.word_lists import read_sections, read_words

PACKAGE = Path(newscrawl.__file__).parent
MONTHS = "written_dates/months.txt"
LISTS = sorted(
    path.relative_to(PACKAGE).as_posix()
    for path in [*PACKAGE.rglob("phrases/*.txt"), *PACKAGE.glob("written_dates/*.txt"), *PACKAGE.glob("identity/*.txt")]
)
LARGEST = "en es pt fr de it nl sv no da fi pl ru uk tr el ar fa hi id vi zh ja ko".split()


@pytest.mark.parametrize("name", LISTS)
def test_entries_are_in_lower_case_without_surplus_blanks(name: str) -> None:
    for entry in read_words(newscrawl.__file__, name):
        assert entry == " ".join(unicodedata.normalize("NFC", entry).lower().split())


@pytest.mark.parametrize("name", sorted({*LISTS} - {MONTHS}))
def test_entries_are_sorted_and_different_in_the_form_in_which_they_are_compared(name: str) -> None:
    for section, entries in read_sections(newscrawl.__file__, name).items():
        assert list(entries) == sorted(entries), section
        assert len({fold(entry) for entry in entries} - {""}) == len(entries), section


@pytest.mark.parametrize("name", LISTS)
def test_each_section_is_there_once(name: str) -> None:
    lines = (PACKAGE / name).read_text("utf-8").splitlines()
    begun = [line for line in lines if line.startswith("[")]
    assert begun == list(dict.fromkeys(begun))


def test_each_line_of_months_has_twelve() -> None:
    assert [row for row in read_words(newscrawl.__file__, MONTHS) if len(row.split()) != 12] == []


@pytest.mark.parametrize("name", ["ends.txt", "notes.txt"])
def test_the_largest_news_languages_have_cues(name: str) -> None:
    assert {*LARGEST} <= {*read_sections(newscrawl.__file__, f"extraction/cleanup/phrases/{name}")}


def test_the_names_of_agencies_whose_case_counts_are_sorted_and_different() -> None:
    names = read_words(newscrawl.__file__, "site_boilerplate/agencies.txt")
    assert list(names) == sorted(set(names))
