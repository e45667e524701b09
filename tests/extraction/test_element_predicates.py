"""Whether elements are inside marked ones."""

from __future__ import annotations

import re
from collections.abc import Callable

from newscrawl.extraction.element_predicates import at_or_inside, named, numbers_of
from newscrawl.page.elements import Elements
from newscrawl.page.tags import TAG_NAMES

OUTLINE = "body>0 div>1 p>2 p>2 div>1 p>5"


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
    is_named = named(elements, re.compile("promo"), tags=numbers_of(["p"]), never=numbers_of(["body", "nosuchtag"]))
    assert [element for element in range(7) if is_named(element)] == [2, 3, 4, 6]
    assert list(numbers_of(["p", "nosuchtag"])) == [TAG_NAMES.index("p")]
