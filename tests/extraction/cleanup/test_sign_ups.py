"""Boxes with a field for a mail address are removed, and parts of an article that contain one stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.cleanup.sign_ups import drop_sign_ups
from newscrawl.page import Page

PROSE = "The council agreed on Tuesday to build the new bridge over the river, and the mayor was glad of it. "
OFFER = "The best stories of the coast in your mailbox every morning."
MakePage = Callable[..., Page]


def left(page: Page) -> list[str]:
    return [page.runs[i].text for i in drop_sign_ups(page, range(len(page.runs)))]


def article(part: str) -> str:
    return f"<div><p>{PROSE}</p><p>{PROSE}</p>{part}<p>{PROSE}</p></div>"


@pytest.mark.parametrize(
    "box",
    [
        pytest.param(f"<div><p>{OFFER}</p><input type=email></div>", id="beside the field"),
        pytest.param(f'<div><p>{OFFER}</p><div><INPUT TYPE="Email"></div></div>', id="above the field's element"),
        pytest.param(f'<section><h3>{OFFER}</h3><label><input name="EMAIL"></label></section>', id="by its name"),
        pytest.param(
            f'<div><input type=text name="your-mail"><p>{OFFER}</p><p>{OFFER}</p></div>', id="below the field"
        ),
    ],
)
def test_a_box_with_a_field_for_a_mail_address_goes(page_of: MakePage, box: str) -> None:
    assert left(page_of(article(box))) == [PROSE.strip()] * 3


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(f"<div><p>{OFFER}</p><input type=search name=q></div>", id="another field"),
        pytest.param(f"<div><p>{OFFER}</p><input type=hidden name=mailto></div>", id="a hidden field"),
        pytest.param(f"<div><p>{PROSE * 3}</p><p>{OFFER}</p><input type=email></div>", id="a part of the article"),
        pytest.param(f"<p>{OFFER}</p><input type=email>", id="no element of its own"),
    ],
)
def test_other_parts_stay(page_of: MakePage, part: str) -> None:
    assert OFFER in left(page_of(article(part)))


def test_an_article_that_is_hardly_more_than_its_box_stays(page_of: MakePage) -> None:
    assert OFFER in left(page_of(f"<div><div><p>{OFFER}</p><input type=email></div><p>Sold out.</p></div>"))


def test_nothing_stays_nothing(page_of: MakePage) -> None:
    assert list(drop_sign_ups(page_of("<input type=email>"), ())) == []


def test_time_is_linear(page_of: MakePage, doubling: Callable[..., None]) -> None:
    def make(size: int) -> Page:
        return page_of(f"<div>{'<div><p>a b c</p><input type=email></div>' * size}</div>")

    doubling(left, make, 500)
