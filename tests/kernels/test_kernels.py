"""Every compiled function gives what its reference in Python gives: a table of samples, and one test of random ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, TypeAlias

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import PIECES

from newscrawl.compiled import BYTES, KERNELS, OutsideError, choose, loaded
from newscrawl.demo import DemoSite
from newscrawl.extraction import element_predicates, treefilter
from newscrawl.extraction.boilerpipe import blocks, columns, filters
from newscrawl.extraction.cleanup import cues
from newscrawl.extraction.element_predicates import NamePattern
from newscrawl.page import Page, TextRun, cuts, decode, parse
from newscrawl.page.elements import Elements
from newscrawl.page.run import IGNORED_BY_BOILERPIPE, TOP_HEADING

Arguments: TypeAlias = tuple[Any, ...]

LETTERS = "aAbZz09_ -—'’.!?:#%&[]|~\t\u00a0\u00ad\u2028\u200b\u3000漢字ひไéÉßİıΣςK\u0301½²\U0001f600\U00020001…()©"
text = st.text(alphabet=LETTERS, max_size=12) | st.text(max_size=8)
line = text.map(lambda value: " ".join(value.split()))
count = st.integers(0, 30)
lines = st.lists(st.tuples(line, count), max_size=6)


def joined(parts: Iterable[str]) -> st.SearchStrategy[bytes]:
    return st.lists(st.sampled_from(tuple(parts)), max_size=14).map(lambda chosen: "".join(chosen).encode())


BROKEN = [b"\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf5\x80\x80\x80", b"\xe6\xbc"]
CHARACTERS = [piece.encode() for piece in ("a" * 31, "b" * 33, "é", "漢", "\U0001f600", "<p>", "</p>", "<", "</", "\0")]
body = st.lists(st.sampled_from(CHARACTERS + BROKEN), max_size=8).map(b"".join) | st.binary(max_size=40)
ENDS = [*("</body", "</BODY", "</html", "</HtMl", "</bod", "/body", "</hody"), *"</bylho\x0f\x1c"]

TOO_MANY = " a='>' b c=d/" * 251
"""Attributes, more than an element keeps."""
MARKUP = (*PIECES, f"<p{TOO_MANY}>", f"<svg{TOO_MANY}/>", TOO_MANY, "\0")


def run_in(element: int, value: str = "x", words: int = 1, linked: int = 0, flags: int = 0, level: int = 0) -> TextRun:
    return TextRun(value, words, min(linked, words), 0, element, flags, level, 0, 0, ())


runs = st.builds(
    run_in,
    st.just(0),
    line.filter(bool),
    count,
    count,
    st.sampled_from([0, 1, 3, 4, IGNORED_BY_BOILERPIPE, IGNORED_BY_BOILERPIPE | 4]),
    count,
)


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


@st.composite
def paragraph_arguments(draw: st.DrawFn) -> Arguments:
    elements = draw(trees())
    places = sorted(draw(st.lists(st.integers(0, len(elements) - 1), max_size=8)))
    return elements, tuple(map(run_in, places)), range(len(places)), frozenset([1, 2])


@st.composite
def title_arguments(draw: st.DrawFn) -> Arguments:
    texts, title = draw(st.lists(line, max_size=6)), draw(line)
    wanted = filters.potential_titles(title) or frozenset([title])
    shown = draw(st.sampled_from([*texts, title, f"- {title.upper()}?", f"' {title}"]))
    return [*texts, shown], wanted, min(map(len, wanted)), 2 * max(map(len, wanted)), filters._shows


@st.composite
def asked_elements(draw: st.DrawFn) -> tuple[Elements, list[int], list[int]]:
    elements = draw(trees())
    places = st.integers(-1, len(elements) - 1)
    return elements, draw(st.lists(places, max_size=2)), draw(st.lists(places, max_size=12))


def insides(inside_test: Callable[..., Any], elements: Elements, top: list[int], asked: list[int]) -> list[bool]:
    is_inside = inside_test(elements.parent, lambda element: elements.tag[element] == 1, top)
    return [is_inside(element) for element in [*asked, *asked]]


def names_found(
    name_test: Callable[..., Any], elements: Elements, _: list[int], asked: list[int], names: Any
) -> list[bool]:
    """With and without a predicate that says among which elements names are looked for."""
    some = name_test(elements.tag, elements.values, re.compile("a|^$"), (), (), ("class",))
    arguments = elements.tag, elements.values, names, frozenset([4]), frozenset([5]), ("id", "class")
    tests = [name_test(*arguments, among) for among in (None, some)]
    return [is_named(element) for element in [*asked, *asked] if element >= 0 for is_named in tests]


PARTS: Final = ("ad", "adv", "bio", "d-none", "read", "sr-only")
EXPRESSION: Final = re.compile("|".join(PARTS))


def match_in(name_search: Callable[..., Any], name: str) -> str:
    return str(name_search(EXPRESSION, PARTS)(name))


@dataclass(frozen=True)
class Kernel:
    """A compiled function."""

    core: str
    chosen_in: ModuleType
    """The module that chooses it, and has its reference with an underscore before the name."""
    samples: Sequence[Arguments]
    arguments: st.SearchStrategy[Arguments]
    result: Callable[..., object] = lambda function, *arguments: function(*arguments)
    """What is compared, given one of the two functions and arguments."""


_SPACED_RUNS = (
    run_in(0, "a [b] c", 3, 1, 0, 2),
    run_in(0, "no", 1, 0, IGNORED_BY_BOILERPIPE, 2),
    run_in(0, "link", 1, 1, TOP_HEADING, 3),
)
_TREE = Elements([-1, 0, 1, 2, 1, 4, 0], [0, 1, 2, 3, 1, 2, 3], [{}] * 7)
_NAMES = st.sampled_from([re.compile("box"), NamePattern(re.compile("box"), ("box",))])

TABLE: Mapping[str, Kernel] = {
    "is_utf8": Kernel(
        BYTES,
        decode,
        [
            ("aé漢\U0001f600".encode() * 20,),
            *((b"a" * 40 + bad + b"b",) for bad in (*BROKEN, b"\xe9", b"\xc0\x80", b"\xf4\x90\x80\x80")),
        ],
        st.tuples(body),
    ),
    "first_end": Kernel(
        BYTES, cuts, [(b"<p>a</b></Body>b</HTML>",), (b"<p></h",)], st.tuples(joined(ENDS) | joined(ENDS) | body)
    ),
    "without_scripts": Kernel(
        BYTES,
        cuts,
        [
            (b"<p a='>'><SCRIPT>a</script><style/>b<style>c</style><svg><title>d</title></svg>",),
            (b"<script type='application/ld+json'>{}</script><!-- a --><title>b</title><script>c</script>d",),
            (b"<p" + b" a=b c" * 251 + b"/>",),
            (b"<style>a</style><script>b</script>" * cuts.MAX_PIECES,),
        ],
        st.tuples(joined(MARKUP) | joined("<>/!-='\"\0 aS")),
    ),
    "casefold": Kernel(
        KERNELS,
        cues,
        [("AÉßЖσς ‘’İ",), ("\U0001f600 Ab漢",), ("Up",), ("",)],
        st.tuples(text | st.text(st.characters(max_codepoint=0x2100), max_size=12)),
    ),
    "fold": Kernel(KERNELS, cues, [(" Äb c-d_9!",), ("The A.B.'s 12 %",), ("",)], st.tuples(text)),
    "first_word": Kernel(
        KERNELS,
        cues,
        [(" «Äb c", 64), ("A.B.'s 12", 1), ("- x_9 y", 5), ("", 64)],
        st.tuples(text, st.integers(0, 12)),
    ),
    "all_words": Kernel(
        KERNELS,
        blocks,
        [(["one two", "a [b] - c%d", "Smith’s 漢字 x", "\u3000"], [2, 3, 3, 0]), ([], [])],
        lines.map(lambda found: ([one for one, _ in found], [number for _, number in found])),
    ),
    "classes_by_words": Kernel(
        KERNELS,
        columns,
        [
            (
                [17, 3, 0, 5, 16, 3, 41, 2, 18, 1],
                [0.0, 0.2, 0.0, 0.0, 0.6, 0.0, 0.34, 0.9, 0.0, 0.0],
                columns._BOUNDS,
            ),
            ([], [], columns._BOUNDS),
        ],
        st.lists(
            st.tuples(st.integers(0, 45), st.sampled_from([0.0, 0.2, 0.333333, 0.34, 0.555556, 0.56, 1.0])),
        ).map(lambda found: ([words for words, _ in found], [share for _, share in found], columns._BOUNDS)),
    ),
    "take_columns": Kernel(
        KERNELS,
        columns,
        [(_SPACED_RUNS, ((1, 5), (2, 6), (3, 7)), blocks.SPACER)],
        st.tuples(
            st.lists(runs, min_size=1, max_size=8).map(tuple),
            st.lists(st.tuples(st.integers(0, 9), count), max_size=4).map(lambda found: tuple(sorted(found))),
            st.just(blocks.SPACER),
        ),
    ),
    "stretches": Kernel(
        KERNELS,
        columns,
        [([True, False, False, True, True, False, False, True], 5), ([False, False], None), ([], None)],
        st.tuples(st.lists(st.booleans(), max_size=12), st.none() | st.integers(0, 12)),
    ),
    "holding_any": Kernel(
        KERNELS,
        filters,
        [
            (["xCommENT", "ä your", "z your say", "comment"], [1, 2, 3, 9], 9, ("comment", "your say")),
            (["a ©", "Crédit", "CRÉDIT", "z"], [2, 1, 1, 1], 9, ("édit", "©")),
        ],
        st.lists(
            st.tuples(line | st.sampled_from(["a COMMENT", "é rEader", "comment", "Kommen"]), count), max_size=6
        ).map(
            lambda found: (
                [one.replace(blocks.NOT_IN_TEXT, "") for one, _ in found],  # no page's text has that sign
                [number for _, number in found],
                15,
                ("comment", "reader", "ab", "é"),
            )
        ),
    ),
    "first_shown": Kernel(
        KERNELS,
        filters,
        [
            (["...", "sun", "a rain", "- 'Rain"], frozenset(["rain"]), 3, 8, filters._shows),
            (["\u0130", "İx", "\u00a0it is? "], frozenset(["it is", "i\u0307x"]), 3, 8, filters._shows),
        ],
        title_arguments(),
    ),
    "paragraphs": Kernel(
        KERNELS,
        treefilter,
        [(_TREE, tuple(map(run_in, (3, 5, 1, 2, 6, 0))), [0, 1, 2, 3, 4, 5], frozenset([1, 3]))],
        paragraph_arguments(),
    ),
    "inside_test": Kernel(KERNELS, element_predicates, [(_TREE, [4], [5, 3, 2])], asked_elements(), insides),
    "name_search": Kernel(
        KERNELS,
        element_predicates,
        [("x-adv",), ("é ad",), ("sr",)],
        st.tuples(
            st.lists(
                st.sampled_from([*PARTS, "a", "d", "-", " ", "é", "漢", "AD", "\0", "re", "bi", "!$"]),
            ).map("".join)
        ),
        match_in,
    ),
    "name_test": Kernel(
        KERNELS,
        element_predicates,
        [],
        st.tuples(asked_elements(), _NAMES).map(lambda found: (*found[0], found[1])),
        names_found,
    ),
}
"""Every compiled function, by name."""

needs_core = pytest.mark.skipif(
    any(loaded(core).module is None for core in (BYTES, KERNELS)), reason="no compiled core"
)


def is_equal(kernel: Kernel, name: str, arguments: Arguments) -> bool:
    chosen, reference = getattr(kernel.chosen_in, name), getattr(kernel.chosen_in, f"_{name}")
    return kernel.result(chosen, *arguments) == kernel.result(reference, *arguments)


@needs_core
@pytest.mark.parametrize("name", TABLE)
def test_the_compiled_function_is_used_and_gives_what_the_reference_gives(name: str) -> None:
    kernel = TABLE[name]
    assert getattr(kernel.chosen_in, name) is getattr(loaded(kernel.core).module, name)
    assert [arguments for arguments in kernel.samples if not is_equal(kernel, name, arguments)] == []


@needs_core
@pytest.mark.parametrize("name", TABLE)
@settings(max_examples=examples(250), deadline=None)
@given(st.data())
def test_it_gives_the_same_for_any_arguments(name: str, data: st.DataObject) -> None:
    assert is_equal(TABLE[name], name, data.draw(TABLE[name].arguments))


_SIGNS = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x110000, 7))]
_SEQUENCES = [
    (bytes([first, second]) + rest,)
    for first in range(0x80, 0x100)
    for second in range(0x100)
    for rest in (b"", b"\x80", b"\xbf\xbf", b"\x80a")
]


@needs_core
@pytest.mark.parametrize(
    ("name", "samples"),
    [
        ("casefold", [(f"a{sign}",) for sign in _SIGNS]),
        ("all_words", [([f"a{sign}b" for sign in _SIGNS if sign != "\n"], [9] * (len(_SIGNS) - 1))]),
        ("is_utf8", _SEQUENCES),
    ],
)
def test_it_gives_the_same_for_every_character(name: str, samples: Sequence[Arguments]) -> None:
    assert [arguments for arguments in samples if not is_equal(TABLE[name], name, arguments)] == []


@needs_core
def test_it_gives_the_same_for_whole_pages() -> None:
    site = DemoSite()
    for story in site.stories[:12]:
        page = parse(site.answer("GET", story.path).body)
        assert is_equal(TABLE["take_columns"], "take_columns", (page.runs, page.spacers, blocks.SPACER))
        every = range(len(page.runs))
        paragraphs = page.elements, page.runs, every, treefilter._PARAGRAPH_NUMBERS
        assert is_equal(TABLE["paragraphs"], "paragraphs", paragraphs)


@needs_core
def test_all_compiled_functions_are_in_the_table() -> None:
    compiled = {
        name
        for core in (BYTES, KERNELS)
        for name, value in vars(loaded(core).module).items()
        if getattr(value, "__module__", "") == core and not name.startswith("__")
    }
    assert compiled == {*TABLE}


@needs_core
def test_runs_outside_of_all_elements_are_left_to_the_reference() -> None:
    elements, outside = Elements([-1], [0], [{}]), (run_in(-1),)
    with pytest.raises(OutsideError):
        treefilter.paragraphs(elements, outside, [0], frozenset())
    assert treefilter.identify_paragraphs(elements, outside, [0]) == {0: -1}
    page: Page = parse(b"")
    assert treefilter.identify_paragraphs(page.elements, (), ()) == {}


def test_a_function_that_was_not_compiled_is_its_reference() -> None:
    assert choose(KERNELS, "no such function", str.upper) is str.upper
