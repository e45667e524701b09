"""Whether elements are inside marked ones."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.extraction.cleanup.boxes import (
    ANY_NAMES,
    CONSENT_NAMES,
    HIDDEN_NAMES,
    SURE_NAMES,
    in_box,
    in_consent,
    in_hidden,
)
from newscrawl.extraction.cleanup.copies import _COMMENTS
from newscrawl.extraction.element_predicates import NamePattern, Predicate, at_or_inside, named, numbers_of
from newscrawl.extraction.size import _COMMENT_NAMES
from newscrawl.page.elements import Elements
from newscrawl.page.tags import TAG_NAMES

OUTLINE = "body>0 div>1 p>2 p>2 div>1 p>5"
PROMO = NamePattern(re.compile("promo"), ("promo",))


def test_a_marked_element_and_all_inside_it_stand_in_it(make_elements: Callable[[str], Elements]) -> None:
    inside = at_or_inside(make_elements(OUTLINE), lambda element: element == 2)
    assert [element for element in range(7) if inside(element)] == [2, 3, 4]


def test_nothing_of_the_top_is_asked(make_elements: Callable[[str], Elements]) -> None:
    asked: list[int] = []

    def mark(element: int) -> bool:
        asked.append(element)
        return False

    inside = at_or_inside(make_elements(OUTLINE), mark, top=(2, 1, 0))
    assert not any(inside(element) for element in (3, 4, 3))
    assert asked == [3, 4]


def test_names_are_those_of_the_attributes_in_lower_case(make_elements: Callable[[str], Elements]) -> None:
    elements = make_elements(OUTLINE)
    promo = {"class": "Promo"}
    elements.attributes = [{}, promo, promo, {"id": "x", "role": "promo"}, {"href": "promo"}, {}, {}]
    is_named = named(elements, PROMO, tags=numbers_of(["p"]), never=numbers_of(["body", "nosuchtag"]))
    assert [element for element in range(7) if is_named(element)] == [2, 3, 4, 6]
    assert list(numbers_of(["p", "nosuchtag"])) == [TAG_NAMES.index("p")]


def test_a_page_has_one_predicate_for_equal_arguments(make_elements: Callable[[str], Elements]) -> None:
    elements = make_elements(OUTLINE)
    first = named(elements, PROMO, tags=numbers_of(["p"]))
    assert named(elements, PROMO, tags=numbers_of(["p"])) is first
    assert named(elements, PROMO) is not first
    assert named(elements, NamePattern(PROMO.expression, ()), tags=numbers_of(["p"])) is not first
    assert pickle.loads(pickle.dumps(elements)).predicates == {}


def test_an_element_that_is_not_among_others_has_no_name(make_elements: Callable[[str], Elements]) -> None:
    elements = make_elements(OUTLINE)
    elements.attributes = [{"class": "promo"}] * 7
    is_named = named(elements, PROMO, tags=numbers_of(["p"]), among=lambda element: element in {1, 2})
    assert [element for element in range(7) if is_named(element)] == [1, 2]


@pytest.mark.parametrize(
    ("test", "names"),
    [(in_consent, CONSENT_NAMES), (in_hidden, HIDDEN_NAMES), (partial(in_box, names=SURE_NAMES), SURE_NAMES)],
)
@pytest.mark.parametrize("name", ["cookie", "hidden", "sr-only", "related", "Card", "img-text", "x privacy-y", "plain"])
def test_every_name_of_a_kind_of_box_is_a_name_of_a_box(
    make_elements: Callable[[str], Elements],
    test: Callable[[Elements], Predicate],
    names: NamePattern,
    name: str,
) -> None:
    elements = make_elements("body>0 div>1")
    elements.attributes = [{}, {}, {"class": name}]
    assert test(elements)(2) is (names.search(name.lower()) is not None)


@pytest.mark.parametrize(
    "names",
    [ANY_NAMES, SURE_NAMES, CONSENT_NAMES, HIDDEN_NAMES, _COMMENTS, _COMMENT_NAMES],
    ids="any sure consent hidden comments limits".split(),
)
@settings(deadline=None)
@given(data=st.data())
def test_names_without_any_part_do_not_match(names: NamePattern, data: st.DataObject) -> None:
    name = data.draw(st.from_regex(names.expression).map(str.lower))
    matches = names.expression.search(name)
    assert not matches or any(part in name for part in names.parts)
    assert (names.search(name) is None) is (matches is None)
