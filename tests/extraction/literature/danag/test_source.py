"""The lines that DANAg uses for a page whose source has no lines."""

from __future__ import annotations

from newscrawl.extraction.lines import TextLine
from newscrawl.extraction.literature.danag import SourceLine, normalised_source
from newscrawl.extraction.literature.danag.source import MAX_BARE_LINES


def line(length: int, tags: int, code: int) -> TextLine:
    return TextLine((0,), length, 1, 0, tags, code)


def test_a_line_of_one_element_is_one_line_of_source() -> None:
    assert normalised_source([line(100, 2, 7)]) == [SourceLine(100, 7, 0)]


def test_further_elements_stand_on_bare_lines_before_the_text_and_share_its_code() -> None:
    assert normalised_source([line(100, 6, 32)]) == [SourceLine(0, 10, None)] * 2 + [SourceLine(100, 12, 0)]


def test_text_without_tags_before_it_has_no_bare_lines() -> None:
    assert normalised_source([line(5, 0, 0), line(6, 1, 3)]) == [SourceLine(5, 0, 0), SourceLine(6, 3, 1)]


def test_a_million_empty_elements_are_no_million_lines() -> None:
    source = normalised_source([line(100, 2_000_000, 9_000_000)])
    assert len(source) == MAX_BARE_LINES + 1
    assert source[-1].line == 0


def test_a_page_without_text_has_no_source() -> None:
    assert normalised_source([]) == []
