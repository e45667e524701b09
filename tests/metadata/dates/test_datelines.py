"""A page without declared dates: which dates its visible lines state, and when they are not used."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawl.extraction.metadata.read import read_metadata
from newscrawl.page import parse

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
PROSE = "<p>The town council met on Monday evening and decided to build the new bridge that many had asked for.</p>"


def published(body: str, url: str = "https://example.org/story") -> tuple[str, str] | None:
    """Day and source; the body's lines stand too far from the headline to be read with it."""
    html = f"<html><body><h1>The bridge</h1>{'<p>So it is.</p>' * 20}{PROSE * 3}{body}</body></html>"
    found = read_metadata(parse(html, url=url), fetched_at=NOW).published
    return (found.when.date().isoformat(), found.source) if found else None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Published on 4 March 2019", "2019-03-04"),
        ("Erschienen am: 01.11.2023", "2023-11-01"),
        (("Dieser Artikel wurde am 14. Dezember 2015 um 14:48 von Hanna geschrieben und steht unter Verkehr und Bauen "
         "bei allen anderen Berichten über Brücken."), "2015-12-14"),
        ("Publicado el 3 de mayo de 2018", "2018-05-03"),
        ("Publié le 7 juin 2017", "2017-06-07"),
        ("Опубликовано 5 мая 2016", "2016-05-05"),
        ("公開日 2020年2月3日", "2020-02-03"),
        ("发布时间：二〇二〇年二月三日", "2020-02-03"),
    ],
)  # fmt: skip
def test_a_line_that_says_when_the_page_was_published_is_believed(line: str, day: str) -> None:
    others = "<p>12 May 2014</p><p>13 May 2014</p>"
    assert published(f"{others}<p>{line}</p>") == (day, "text")


@pytest.mark.parametrize(
    "body",
    [
        "<p>19. Mai 2010</p>",
        "<p>Anna, 19.5.2010, 13:36</p><p>19.5.2010 - 22:40</p>",
        "<p>19 May 2010</p><p>19 May 2010</p><p>2 April 2009</p>",
        "<p>May 19, 2010</p><p>A. Example, The Bridges, Daily Globe, Mar 20, 2005</p>",
        (
            "<p>19.5.2010 - Bei der Sitzung des Stadtrats wurde über die neue Brücke gesprochen, die sich viele seit "
            "langem gewünscht hatten.</p>"
        ),
        (
            "<p>Lyon, 19 mai 2010 (AFP) – Le conseil de la ville a parlé lundi du nouveau pont et de son coût, qui a "
            "doublé depuis un an.</p>"
        ),
        "<p>LONDON, May 19, 2010 - The council spoke about the bridge and its cost, which has doubled in a year.</p>",
    ],
)
def test_the_one_day_that_lines_agree_on_is_believed(body: str) -> None:
    assert published(body) == ("2010-05-19", "text")


@pytest.mark.parametrize(
    "body",
    [
        "<p>19 May 2010</p><p>2 April 2009</p>",
        "<p>Copyright © 19.12.2019 by the paper</p>",
        "<p>Last updated: 19 May 2010</p><p>Zuletzt geändert am 20.5.2010</p>",
        "<p>Registered: 19 May 2010</p>",
        "<p><a href=/old>The bridge of 19 May 2010</a></p>",
        "<p>In the night to 19 May 2010 the river rose by two metres and took the old bridge with it to the sea.</p>",
        "<p>1 November 2026</p>",
        "<p>May 2010</p>",
        "".join(f"<p>{day} May 2010</p>" for day in range(1, 29)) * 2,
        "<p>It met on 19 May 2010 and spoke about the bridge again.</p>",
        "<figure><figcaption>The bridge on 19 May 2010</figcaption></figure>",
    ],
)
def test_lines_that_disagree_or_mean_something_else_are_no_date(body: str) -> None:
    assert published(body) is None


@pytest.mark.parametrize("line", ["Last updated: 19 May 2010", "Zuletzt geändert am 19.5.2010"])
def test_the_only_change_is_the_last_resort_and_its_source_says_so(line: str) -> None:
    assert published(f"<p>{line}</p>") == ("2010-05-19", "text:updated")


@pytest.mark.parametrize("address", ["/news/29-10-2021", "/news/29.10.2021/bridge", "/29_10_2021.html"])
def test_an_address_may_write_its_day_first(address: str) -> None:
    assert published("", f"https://example.org{address}") == ("2021-10-29", "url")
