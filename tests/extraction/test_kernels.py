"""Every compiled function of extraction gives what its reference in Python gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.article.page_kinds import boxes, counts, layout, places
from newscrawl.article.page_kinds import columns as kind_columns
from newscrawl.demo import DemoSite
from newscrawl.extraction import element_predicates, treefilter
from newscrawl.extraction.boilerpipe import columns, tokens
from newscrawl.extraction.boilerpipe.blocks import SPACER
from newscrawl.extraction.boilerpipe.filters import english, titles
from newscrawl.extraction.cleanup import cues
from newscrawl.extraction.confidence.trees import LEAF, Tree, _score_trees, score_trees
from newscrawl.extraction.element_predicates import NamePattern
from newscrawl.extraction.justext.classify import Rules, _classes_of, classes_of
from newscrawl.extraction.justext.paragraphs import Paragraph, _make_paragraphs, make_paragraphs
from newscrawl.extraction.kernels import CORE, OutsideError, choose
from newscrawl.page import Page, TextRun, parse
from newscrawl.page.elements import Elements
from newscrawl.page.run import (
    BLANK_BEFORE,
    HEADING,
    IGNORED_BY_BOILERPIPE,
    IGNORED_BY_JUSTEXT,
    LIST_ITEM,
    PARAGRAPH_BEFORE,
    SPACE_BEFORE,
    TOP_HEADING,
)
from newscrawl.page.tags import TAG_NAMES

PAIRS = {
    "fold": (cues.fold, cues._fold),
    "first_word": (cues.first_word, cues._first_word),
    "casefold": (cues.casefold, cues._casefold),
    "all_words": (tokens.all_words, tokens._all_words),
    "take_columns": (columns.take_columns, columns._take_columns),
    "classes_by_words": (columns.classes_by_words, columns._classes_by_words),
    "stretches": (columns.stretches, columns._stretches),
    "first_shown": (titles.first_shown, titles._first_shown),
    "holding_any": (english.holding_any, english._holding_any),
    "make_paragraphs": (make_paragraphs, _make_paragraphs),
    "classes_of": (classes_of, _classes_of),
    "paragraphs": (treefilter.paragraphs, treefilter._paragraphs),
    "inside_test": (element_predicates.inside_test, element_predicates._inside_test),
    "name_search": (element_predicates.name_search, element_predicates._name_search),
    "name_test": (element_predicates.name_test, element_predicates._name_test),
    "score_trees": (score_trees, _score_trees),
    "repeated_boxes": (boxes.repeated_boxes, boxes._repeated_boxes),
    "own_contents": (boxes.own_contents, boxes._own_contents),
    "equal_places": (places.equal_places, places._equal_places),
    "columns_of": (kind_columns.columns_of, kind_columns._columns_of),
    "runs_with_digit": (kind_columns.runs_with_digit, kind_columns._runs_with_digit),
    "count_runs": (counts.count_runs, counts._count_runs),
    "addresses": (layout.addresses, layout._addresses),
}
needs_core = pytest.mark.skipif(CORE.module is None, reason=f"no compiled core: {CORE.reason}")
pytestmark = [needs_core]

LETTERS = "aAbZz09_ -—'’.!?:#%&[]|~\t\u00a0\u00ad\u2028\u200b\u3000漢字ひไéÉßİıΣςK\u0301½²\U0001f600\U00020001…()©"
text = st.text(alphabet=LETTERS, max_size=12) | st.text(max_size=8)
line = text.map(lambda value: " ".join(value.split()))
count = st.integers(0, 30)


@pytest.mark.parametrize("name", PAIRS)
def test_it_was_chosen(name: str) -> None:
    chosen, reference = PAIRS[name]
    assert chosen is getattr(CORE.module, name)
    assert chosen is not reference


@settings(max_examples=examples(120), deadline=None)
@given(text)
def test_fold(value: str) -> None:
    assert cues.fold(value) == cues._fold(value)


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(st.tuples(line, count), max_size=6))
def test_all_words(lines: list[tuple[str, int]]) -> None:
    texts, words = [one for one, _ in lines], [number for _, number in lines]
    assert tokens.all_words(texts, words) == tokens._all_words(texts, words)


def test_the_same_signs_end_a_word() -> None:
    texts = [f"a{chr(i)}b" for i in range(0x110000) if not 0xD800 <= i < 0xE000 and chr(i) != "\n"]
    words = [9] * len(texts)
    assert tokens.all_words(texts, words) == tokens._all_words(texts, words)


runs = st.builds(
    lambda value, words, linked, flags, level: TextRun(value, words, min(linked, words), 0, 0, flags, level, 0, 0, ()),
    line.filter(bool),
    count,
    count,
    st.sampled_from([0, 1, 3, 4, IGNORED_BY_BOILERPIPE, IGNORED_BY_BOILERPIPE | 4]),
    count,
)


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(runs, min_size=1, max_size=8), st.lists(st.tuples(st.integers(0, 9), count), max_size=4).map(sorted))
def test_take_columns(page_runs: list[TextRun], spacers: list[tuple[int, int]]) -> None:
    arguments = tuple(page_runs), tuple(spacers), SPACER
    assert columns.take_columns(*arguments) == columns._take_columns(*arguments)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 45), st.sampled_from([0.0, 0.2, 0.333333, 0.34, 0.555556, 0.56, 1.0]))))
def test_classes_by_words(blocks: list[tuple[int, float]]) -> None:
    words, density = [count for count, _ in blocks], [share for _, share in blocks]
    arguments = words, density, columns._BOUNDS
    assert columns.classes_by_words(*arguments) == columns._classes_by_words(*arguments)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.booleans(), max_size=12), st.none() | st.integers(0, 12))
def test_stretches(content: list[bool], title: int | None) -> None:
    assert columns.stretches(content, title) == columns._stretches(content, title)


@settings(max_examples=examples(300), deadline=None)
@given(text | st.text(st.characters(max_codepoint=0x2100), max_size=12))
def test_casefold(value: str) -> None:
    assert cues.casefold(value) == cues._casefold(value)


def test_casefold_of_every_character() -> None:
    for code in (*range(0xD800), *range(0xE000, 0x110000, 7)):
        assert cues.casefold(f"a{chr(code)}") == f"a{chr(code)}".casefold()


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(line, max_size=6), line)
def test_first_shown(texts: list[str], title: str) -> None:
    wanted = titles.potential_titles(title) or frozenset([title])
    for shown in (*texts, title, f"- {title.upper()}?", f"' {title}"):
        arguments = [*texts, shown], wanted, min(map(len, wanted)), 2 * max(map(len, wanted)), titles._shows
        assert titles.first_shown(*arguments) == titles._first_shown(*arguments)


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(st.tuples(line | st.sampled_from(["a COMMENT", "é rEader", "comment", "Kommen"]), count), max_size=6))
def test_holding_any(lines: list[tuple[str, int]]) -> None:
    texts = [one.replace(english.NOT_IN_TEXT, "") for one, _ in lines]  # no page's text has that sign
    arguments = texts, [number for _, number in lines], 15, ("comment", "reader", "ab", "é")
    assert english.holding_any(*arguments) == english._holding_any(*arguments)


@st.composite
def trees(draw: st.DrawFn) -> Elements:
    parent = [-1]
    for i in range(1, draw(st.integers(1, 25))):
        above = i - 1  # a parent is the element before or one above that
        for _ in range(draw(st.integers(0, 3))):
            above = max(0, parent[above])
        parent.append(above)
    tag = [draw(st.integers(0, 5)) for _ in parent]
    names = st.dictionaries(
        st.sampled_from(["id", "class", "rel"]), st.sampled_from(["box", "a Box", "bo", "é BOX", "", "x"]), max_size=2
    )
    return Elements(parent, tag, [draw(names) for _ in parent])


@settings(max_examples=examples(120), deadline=None)
@given(trees(), st.data())
def test_paragraphs(elements: Elements, data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(elements) - 1), max_size=8))
    page_runs = tuple(TextRun("x", 1, 0, 0, place, 0, 0, 0, 0, ()) for place in sorted(places))
    arguments = elements, page_runs, range(len(page_runs)), frozenset([1, 2])
    assert treefilter.paragraphs(*arguments) == treefilter._paragraphs(*arguments)


JUSTEXT_FLAGS = [HEADING, IGNORED_BY_JUSTEXT, PARAGRAPH_BEFORE, SPACE_BEFORE, BLANK_BEFORE]


@st.composite
def justext_runs(draw: st.DrawFn) -> TextRun:
    content = draw(line.filter(bool))
    offsets = [place for place, letter in enumerate(content) if letter == " "]
    blanks = tuple(sorted(draw(st.sets(st.sampled_from(offsets))))) if offsets else ()
    flags = sum(draw(st.sets(st.sampled_from(JUSTEXT_FLAGS))))
    return TextRun(content, 1, 0, draw(count), 0, flags, 0, 0, 0, blanks)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(justext_runs(), max_size=8))
def test_make_paragraphs(page_runs: list[TextRun]) -> None:
    found = make_paragraphs(page_runs)
    assert found == _make_paragraphs(page_runs)
    assert all(type(one) is Paragraph and type(one.heading) is bool for one in found)


piece = st.sampled_from(["of", "The", "stone", "©", "&copy", "漢字", "İs", "ab"])
justext_paragraph = st.builds(
    lambda words, linked, heading: Paragraph(" ".join(words), linked, heading),
    st.lists(piece, max_size=60),
    st.sampled_from([0, 0, 1, 9, 80]),
    st.booleans(),
)
rules = st.builds(
    Rules,
    max_heading_distance=st.sampled_from([0, 20, 200]),
    blankless_weight=st.sampled_from([1.0, 3.0]),
    stopwords_low=st.sampled_from([0.0, 0.3, 0.5]),
)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(justext_paragraph, max_size=12), rules)
def test_classes_of(paragraphs: list[Paragraph], chosen: Rules) -> None:
    stop = frozenset({"of", "the", "i\u0307s"})
    assert classes_of(paragraphs, stop, chosen) == _classes_of(paragraphs, stop, chosen)


@settings(max_examples=examples(120), deadline=None)
@given(trees(), st.data())
def test_standing_in_what_is_named(elements: Elements, data: st.DataObject) -> None:
    keys = "id", "class"
    names = data.draw(st.sampled_from([re.compile("box"), NamePattern(re.compile("box"), ("box",))]))
    top = data.draw(st.lists(st.integers(-1, len(elements) - 1), max_size=2))
    asked = data.draw(st.lists(st.integers(-1, len(elements) - 1), max_size=12))

    def answers(inside: Any, named: Any) -> Sequence[bool]:
        rest = elements.tag, elements.values, names, frozenset([4]), frozenset([5]), keys
        among = named(elements.tag, elements.values, re.compile("a|^$"), (), (), ("class",))
        tests = [inside(elements.parent, named(*rest, some), top) for some in (None, among)]
        return [stands_inside(element) for element in [*asked, *asked] for stands_inside in tests]

    references = element_predicates._inside_test, element_predicates._name_test
    assert answers(element_predicates.inside_test, element_predicates.name_test) == answers(*references)


@given(text, st.integers(0, 12))
def test_first_word(value: str, most: int) -> None:
    assert cues.first_word(value, most) == cues._first_word(value, most)


PARTS = ("ad", "adv", "bio", "d-none", "read", "sr-only")


@given(st.lists(st.sampled_from([*PARTS, "a", "d", "-", " ", "é", "漢", "AD", "\0", "re", "bi", "!$"])).map("".join))
def test_name_search(name: str) -> None:
    expression = re.compile("|".join(PARTS))
    compiled = element_predicates.name_search(expression, PARTS)
    assert str(compiled(name)) == str(expression.search(name))


number = st.floats(-2, 2, allow_nan=False) | st.integers(-2, 2)
tree = st.builds(
    lambda tested, values: Tree([*tested, *[LEAF] * 3], values, [1, 3, 0, 0, 0], [2, 4, 0, 0, 0]),
    st.lists(st.integers(0, 3), min_size=2, max_size=2),
    st.lists(st.floats(-2, 2), min_size=5, max_size=5),
)


@given(st.lists(tree, max_size=5), st.lists(number, min_size=4, max_size=4))
def test_score_trees(grown: list[Tree], row: list[float]) -> None:
    assert score_trees(grown, row) == _score_trees(grown, row)


@given(st.lists(st.tuples(st.integers(-1, 5), st.integers(0, 2), st.integers(0, 7), count), max_size=30))
def test_repeated_boxes(elements: list[tuple[int, int, int, int]]) -> None:
    parent = [min(above, element - 1) for element, (above, *_) in enumerate(elements)]
    tag, contents, words = ([row[column] for row in elements] for column in (1, 2, 3))
    arguments = (parent, tag, contents, words, (1, 3, 4, 5), 2)
    assert boxes.repeated_boxes(*arguments) == boxes._repeated_boxes(*arguments)


compared = st.sampled_from([TAG_NAMES.index(tag) for tag in ("h2", "h3", "time", "article", "li", "a", "div")])


@given(st.lists(st.tuples(st.integers(-1, 9), compared), max_size=20))
def test_equal_places(elements: list[tuple[int, int]]) -> None:
    parent = [min(above, element - 1) for element, (above, _) in enumerate(elements)]
    arguments = (parent, [tag for _, tag in elements], places.GROUPS, places.ABOVE, places.PATH_STEPS)
    assert places.equal_places(*arguments) == places._equal_places(*arguments)


@given(st.lists(st.tuples(text, count)))
def test_runs_with_digit(runs: list[tuple[str, int]]) -> None:
    arguments = [one for one, _ in runs], [words for _, words in runs], 12
    assert kind_columns.runs_with_digit(*arguments) == kind_columns._runs_with_digit(*arguments)


counted_run = st.tuples(
    st.sampled_from(["a", "Why?", "Why؟", "So.", "“So”", ""]),
    st.sampled_from([0, 1, 2, 4, 5, 6, 15, 25, 50, 60, 61]),
    st.sampled_from([0, 1, 3, 4, 5, 20]),
    st.integers(0, 3),
    st.sampled_from([0, HEADING, HEADING | TOP_HEADING, LIST_ITEM, HEADING | LIST_ITEM]),
)


@given(st.lists(counted_run, max_size=12), st.sets(st.integers(0, 11)))
def test_counts_of_runs(runs: list[tuple[str, int, int, int, int]], chosen: set[int]) -> None:
    texts, words, linked, elements, flags = ([run[column] for run in runs] for column in range(5))
    tag = [TAG_NAMES.index(name) for name in ("h1", "p", "div", "h2")]
    kept = sorted(run for run in chosen if run < len(runs))
    arguments = (texts, words, list(map(min, linked, words)), elements, flags, tag, kept, counts.LIMITS, counts._KINDS)
    assert counts.count_runs(*arguments) == counts._count_runs(*arguments)
    assert len(counts.count_runs(*arguments)) == len(counts.RunCounts._fields)


@given(st.lists(counted_run, max_size=12))
def test_contents_of_boxes(runs: list[tuple[str, int, int, int, int]]) -> None:
    _, words, linked, elements, _ = ([run[column] for run in runs] for column in range(5))
    arguments = ([0, 1, 1, 2], (0, boxes.LINK, boxes.HEAD), words, linked, elements, boxes.TEXT, boxes.TEXT_WORDS)
    assert boxes.own_contents(*arguments) == boxes._own_contents(*arguments)


def test_whole_pages() -> None:
    site = DemoSite()
    for story in site.stories[:12]:
        page = parse(site.answer("GET", story.path).body)
        taken = columns.take_columns(page.runs, page.spacers, SPACER)
        assert taken == columns._take_columns(page.runs, page.spacers, SPACER)
        arguments = page.elements, page.runs, range(len(page.runs)), treefilter._PARAGRAPH_NUMBERS
        assert treefilter.paragraphs(*arguments) == treefilter._paragraphs(*arguments)
        assert kind_columns.columns_of(page.runs) == kind_columns._columns_of(page.runs)
        links = page.elements.reader(), page.elements.tag, TAG_NAMES.index("a")
        assert layout.addresses(*links) == layout._addresses(*links)


def test_runs_outside_of_all_elements_are_left_to_the_reference() -> None:
    elements = Elements([-1], [0], [{}])
    outside = (TextRun("x", 1, 0, 0, -1, 0, 0, 0, 0, ()),)
    with pytest.raises(OutsideError):
        treefilter.paragraphs(elements, outside, [0], frozenset())
    assert treefilter.identify_paragraphs(elements, outside, [0]) == {0: -1}
    page: Page = parse(b"")
    assert treefilter.identify_paragraphs(page.elements, (), ()) == {}


def test_a_function_that_gives_something_else_is_not_chosen() -> None:
    def shout(value: str) -> str:
        return value.upper()

    assert choose("fold", shout, ("a b",)) is shout
    assert choose("fold", shout, (3,)) is shout
    assert choose("no such function", shout) is shout
