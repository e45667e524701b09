"""Every compiled function gives what its reference in Python gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.compiled import Core
from newscrawl.demo import DemoSite
from newscrawl.extraction import element_predicates, treefilter
from newscrawl.extraction.boilerpipe import columns, tokens
from newscrawl.extraction.boilerpipe.blocks import SPACER
from newscrawl.extraction.boilerpipe.filters import english, titles
from newscrawl.extraction.cleanup import cues
from newscrawl.extraction.element_predicates import NamePattern
from newscrawl.extraction.kernels import CORE, OutsideError, choose
from newscrawl.page import Page, TextRun, cuts, decode, ends, parse
from newscrawl.page.compiled import BYTES
from newscrawl.page.elements import Elements
from newscrawl.page.run import IGNORED_BY_BOILERPIPE, TOP_HEADING

SAMPLES: dict[str, tuple[Core, ModuleType, list[tuple[Any, ...]]]] = {
    "is_utf8": (
        BYTES,
        decode,
        [
            ("aé漢\U0001f600".encode() * 20,),
            *(
                (b"a" * 40 + bad + b"b",)
                for bad in (b"\xe9", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe6\xbc")
            ),
        ],
    ),
    "first_end": (BYTES, ends, [(b"<p>a</b></Body>b</HTML>",), (b"<p></h",)]),
    "without_scripts": (
        BYTES,
        cuts,
        [
            (b"<p a='>'><SCRIPT>a</script><style/>b<style>c</style><svg><title>d</title></svg>",),
            (b"<script type='application/ld+json'>{}</script><!-- a --><title>b</title><script>c</script>d",),
            (b"<p" + b" a=b c" * 251 + b"/>",),
        ],
    ),
    "casefold": (CORE, cues, [("AÉßЖσς ‘’İ",), ("\U0001f600 Ab漢",), ("Up",), ("",)]),
    "fold": (CORE, cues, [(" Äb c-d_9!",), ("The A.B.'s 12 %",), ("",)]),
    "first_word": (CORE, cues, [(" «Äb c", 64), ("A.B.'s 12", 1), ("- x_9 y", 5), ("", 64)]),
    "all_words": (
        CORE,
        tokens,
        [(["one two", "a [b] - c%d", "Smith’s 漢字 x", "\u3000"], [2, 3, 3, 0]), ([], [])],
    ),
    "classes_by_words": (
        CORE,
        columns,
        [
            (
                [17, 3, 0, 5, 16, 3, 41, 2, 18, 1],
                [0.0, 0.2, 0.0, 0.0, 0.6, 0.0, 0.34, 0.9, 0.0, 0.0],
                columns._BOUNDS,
            ),
            ([], [], columns._BOUNDS),
        ],
    ),
    "take_columns": (
        CORE,
        columns,
        [
            (
                (
                    TextRun("a [b] c", 3, 1, 1, 0, 0, 2, 0, 0, ()),
                    TextRun("no", 1, 0, 0, 0, IGNORED_BY_BOILERPIPE, 2, 0, 0, ()),
                    TextRun("link", 1, 1, 4, 0, TOP_HEADING, 3, 0, 0, ()),
                ),
                ((1, 5), (2, 6), (3, 7)),
                SPACER,
            )
        ],
    ),
    "stretches": (
        CORE,
        columns,
        [([True, False, False, True, True, False, False, True], 5), ([False, False], None), ([], None)],
    ),
    "holding_any": (
        CORE,
        english,
        [
            (["xCommENT", "ä your", "z your say", "comment"], [1, 2, 3, 9], 9, ("comment", "your say")),
            (["a ©", "Crédit", "CRÉDIT", "z"], [2, 1, 1, 1], 9, ("édit", "©")),
        ],
    ),
    "first_shown": (
        CORE,
        titles,
        [
            (["...", "sun", "a rain", "- 'Rain"], frozenset(["rain"]), 3, 8, titles._shows),
            (["\u0130", "İx", "\u00a0it is? "], frozenset(["it is", "i\u0307x"]), 3, 8, titles._shows),
        ],
    ),
    "paragraphs": (
        CORE,
        treefilter,
        [
            (
                Elements([-1, 0, 1, 2, 1, 4, 0], [0, 1, 2, 3, 1, 2, 3], [{}] * 7),
                tuple(TextRun("x", 1, 0, 0, element, 0, 0, 0, 0, ()) for element in (3, 5, 1, 2, 6, 0)),
                [0, 1, 2, 3, 4, 5],
                frozenset([1, 3]),
            )
        ],
    ),
    "inside_test": (CORE, element_predicates, []),
    "name_search": (CORE, element_predicates, []),
    "name_test": (CORE, element_predicates, []),
}
"""The compiled functions of a core, the module that chooses each, and arguments for which it gives what its reference
gives. The last three return functions, which tests below compare."""
needs_core = pytest.mark.skipif(CORE.module is None, reason=f"no compiled core: {CORE.reason}")
pytestmark = [needs_core]

LETTERS = "aAbZz09_ -—'’.!?:#%&[]|~\t\u00a0\u00ad\u2028\u200b\u3000漢字ひไéÉßİıΣςK\u0301½²\U0001f600\U00020001…()©"
text = st.text(alphabet=LETTERS, max_size=12) | st.text(max_size=8)
line = text.map(lambda value: " ".join(value.split()))
count = st.integers(0, 30)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_compiled_function_is_used_and_gives_the_same(name: str) -> None:
    core, module, samples = SAMPLES[name]
    chosen, reference = getattr(module, name), getattr(module, f"_{name}")
    assert chosen is getattr(core.module, name)
    for arguments in samples:
        assert chosen(*arguments) == reference(*arguments)


def test_all_compiled_functions_are_compared() -> None:
    compiled = {
        name
        for core in (BYTES, CORE)
        for name, value in vars(core.module).items()
        if getattr(value, "__module__", "") == getattr(core.module, "__name__", None) and not name.startswith("__")
    }
    assert compiled == {*SAMPLES}


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


def test_whole_pages() -> None:
    site = DemoSite()
    for story in site.stories[:12]:
        page = parse(site.answer("GET", story.path).body)
        taken = columns.take_columns(page.runs, page.spacers, SPACER)
        assert taken == columns._take_columns(page.runs, page.spacers, SPACER)
        arguments = page.elements, page.runs, range(len(page.runs)), treefilter._PARAGRAPH_NUMBERS
        assert treefilter.paragraphs(*arguments) == treefilter._paragraphs(*arguments)


def test_runs_outside_of_all_elements_are_left_to_the_reference() -> None:
    elements = Elements([-1], [0], [{}])
    outside = (TextRun("x", 1, 0, 0, -1, 0, 0, 0, 0, ()),)
    with pytest.raises(OutsideError):
        treefilter.paragraphs(elements, outside, [0], frozenset())
    assert treefilter.identify_paragraphs(elements, outside, [0]) == {0: -1}
    page: Page = parse(b"")
    assert treefilter.identify_paragraphs(page.elements, (), ()) == {}


def test_a_function_that_was_not_compiled_is_its_reference() -> None:
    assert choose("no such function", str.upper) is str.upper
