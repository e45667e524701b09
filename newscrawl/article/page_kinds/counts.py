"""Numbers of a page's runs, which the measures of kinds are made of: all of them are counted in one pass.

They are of the whole page, of the runs that are its text (`kept`), and of the span from the first to the last of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from newscrawl.article.page_kinds.columns import Columns
from newscrawl.extraction.kernels import choose
from newscrawl.page.run import HEADING, LIST_ITEM, TOP_HEADING
from newscrawl.page.tags import TAG_NAMES

QUESTIONS: Final = "?？؟"
_ENDS: Final = '.!?…。！？"”'


class Limits(NamedTuple):
    """The numbers of words by which runs are told apart."""

    prose: int = 25
    """Least words of a run of prose, and of a long paragraph."""
    block: int = 15
    """Least words of a run that continues a block of prose."""
    label: int = 5
    """Most words of a run that is a label."""
    menu: int = 2
    """Most words of a linked heading that may be a menu's."""
    headline: int = 4
    """Least words of a linked run that looks like a headline, as in newscrawl.article.signals."""
    question: int = 4
    """Least words of a question."""
    section: int = 5
    """Least words of a section. Fewer are a label."""
    short_section: int = 60
    """Most words of a short section."""
    least_card: int = 6
    most_card: int = 50
    """Words of the text of a card, directly below its heading."""


class RunCounts(NamedTuple):
    """What is counted. Linked runs are those whose words are all linked; headings are h1 to h3, unless stated."""

    words: int
    linked: int
    prose_words: int
    prose_runs: int
    listed: int
    """Words in list items."""
    ends: int
    """Runs that end like sentences."""
    questions: int
    question_sentences: int
    headings: int
    linked_headings: int
    linked_titles: int
    """Linked headings that are no menu's."""
    linked_headlines: int
    """Linked runs that look like headlines."""
    question_headings: int
    """Headings h1 to h6 that are questions."""
    top_headings: int
    """Runs of an <h1>."""
    top: int
    """The number of the first of them, -1 without any."""
    top_distance: int
    """The runs between the start of the text and the nearest of them, -1 without any."""
    paragraph_words: int
    """Words in <p>."""
    long_paragraphs: int
    long_prose: int
    """Words of long paragraphs that are prose."""
    sections: int
    section_words: int
    longest_section: int
    short_section_words: int
    cards: int
    text_words: int
    text_linked: int
    text_listed: int
    text_ends: int
    span_words: int
    span_linked: int
    span_headings: int
    """Headings h1 to h6 within the span, which divide it into parts."""
    span_labels: int
    longest_block: int
    """Words of the longest sequence of prose under one heading."""
    longest_part: int
    part_words: int


class _Kinds(NamedTuple):
    """The flags of runs, the tags of elements and the characters that are looked for."""

    heading: int = HEADING
    top_heading: int = TOP_HEADING
    list_item: int = LIST_ITEM
    h1: int = TAG_NAMES.index("h1")
    p: int = TAG_NAMES.index("p")
    ends: str = _ENDS
    questions: str = QUESTIONS


LIMITS: Final = Limits()
_KINDS: Final = _Kinds()


def run_counts(columns: Columns, tag: Sequence[int], kept: Sequence[int]) -> RunCounts:
    """Returns the counts of a page's runs. `tag` are the tags of its elements, `kept` the numbers of its text's runs in
    ascending order."""
    c = columns
    return RunCounts(*count_runs(c.texts, c.words, c.linked, c.elements, c.flags, tag, kept, LIMITS, _KINDS))


def _count_runs(
    texts: Sequence[str],
    words: Sequence[int],
    linked: Sequence[int],
    elements: Sequence[int],
    flags: Sequence[int],
    tag: Sequence[int],
    kept: Sequence[int],
    limits: Limits,
    kinds: _Kinds,
) -> list[int]:
    """Returns the values of `RunCounts`."""
    ends, tags = [text[-1:] for text in texts], [tag[element] for element in elements]
    runs = list(zip(words, linked, flags, strict=True))
    top = [run for run, one in enumerate(tags) if one == kinds.h1 and flags[run] & kinds.heading]
    questions = [run for run, end in enumerate(ends) if end and end in kinds.questions]
    return [
        *_of_page(runs, limits, kinds),
        sum(map(ends.count, kinds.ends)),
        len(questions),
        len([True for run in questions if words[run] >= limits.question]),
        *_of_headings(runs, limits, kinds),
        len([True for run in questions if flags[run] & kinds.heading]),
        *(len(top), top[0] if top else -1, min((abs(kept[0] - one) for one in top), default=-1) if kept else -1),
        *_of_paragraphs([runs[run] for run, one in enumerate(tags) if one == kinds.p], limits),
        *_of_sections(runs, limits, kinds),
        *_of_text([runs[run] for run in kept], kinds),
        sum(map([ends[run] for run in kept].count, kinds.ends)),
        *_of_span(runs[kept[0] : kept[-1] + 1] if kept else [], limits, kinds),
    ]


_Run = tuple[int, int, int]
"""Words, linked words and flags of a run."""


def _of_page(runs: Sequence[_Run], limits: Limits, kinds: _Kinds) -> list[int]:
    prose = [w for w, linked, _ in runs if w >= limits.prose and linked * 3 < w]
    words, linked_words, listed = _of_text(runs, kinds)
    return [words, linked_words, sum(prose), len(prose), listed]


def _of_headings(runs: Sequence[_Run], limits: Limits, kinds: _Kinds) -> list[int]:
    linked_runs = [(w, f) for w, linked, f in runs if w and w == linked]
    linked_headings = [w for w, f in linked_runs if f & kinds.top_heading]
    return [
        len([True for _, _, f in runs if f & kinds.top_heading]),
        len(linked_headings),
        len([True for w in linked_headings if w > limits.menu]),
        len([True for w, _ in linked_runs if w >= limits.headline]),
    ]


def _of_paragraphs(runs: Sequence[_Run], limits: Limits) -> list[int]:
    long = [(w, linked) for w, linked, _ in runs if w >= limits.prose]
    return [sum([w for w, _, _ in runs]), len(long), sum([w for w, linked in long if linked * 3 < w])]


def _of_sections(runs: Sequence[_Run], limits: Limits, kinds: _Kinds) -> list[int]:
    """The words between headings, and the headings with a text directly below them."""
    sections, cards, below = [0], 0, False
    for w, linked, f in runs:
        if f & kinds.heading:
            sections.append(0)
            below = True
            continue
        if w != linked:
            sections[-1] += w
            cards += below and limits.least_card <= w <= limits.most_card
        below = False
    some = [w for w in sections if w >= limits.section]
    return [len(some), sum(some), max(some, default=0), sum([w for w in some if w <= limits.short_section]), cards]


def _of_text(runs: Sequence[_Run], kinds: _Kinds) -> list[int]:
    listed = sum([w for w, _, f in runs if f & kinds.list_item])
    return [sum([w for w, _, _ in runs]), sum([linked for _, linked, _ in runs]), listed]


def _of_span(span: Sequence[_Run], limits: Limits, kinds: _Kinds) -> list[int]:
    longest = block = 0
    parts = [0]
    for w, linked, f in span:
        if f & kinds.heading:
            parts.append(0)
        else:
            parts[-1] += w
        if w >= limits.block and linked * 2 < w:
            block += w
            longest = max(longest, block)
        elif f & kinds.top_heading:
            block = 0
    labels = len([True for w, _, _ in span if w <= limits.label])
    words, linked_words, _ = _of_text(span, kinds)
    return [words, linked_words, len(parts) - 1, labels, longest, max(parts), sum(parts)]


_FLAGS: Final = [3, 0, 4, 0, 1, 0, 3, 0]
_ROW: Final = (
    ["Bridge?", "By Anna", "A.", "Read more", "Why؟", "long", "More", "Who said so?"],
    [4, 2, 30, 4, 1, 61, 3, 12],
    [4, 0, 3, 4, 0, 0, 3, 6],
    [0, 1, 1, 2, 0, 1, 0, 2],
    _FLAGS,
    [TAG_NAMES.index(name) for name in ("h1", "p", "div")],
)
count_runs: Final = choose(
    "count_runs",
    _count_runs,
    (*_ROW, [1, 2, 5, 7], LIMITS, _KINDS),
    (*_ROW, [], LIMITS, _KINDS),
    (*([[]] * 7), LIMITS, _KINDS),
)
