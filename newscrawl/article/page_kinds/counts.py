"""Numbers of a page's runs, which the measures of kinds are made of: all of them are counted in one pass.

They are of the whole page, of the runs that are its text (`kept`), and of the span from the first to the last of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from newscrawl.article.page_kinds.columns import Columns
from newscrawl.page.run import HEADING, LIST_ITEM, TOP_HEADING
from newscrawl.page.tags import TAG_NAMES

QUESTIONS: Final = "?？؟"
_ENDS: Final = '.!?…。！？"”'
_H1: Final = TAG_NAMES.index("h1")
_P: Final = TAG_NAMES.index("p")


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


LIMITS: Final = Limits()


def run_counts(columns: Columns, tag: Sequence[int], kept: Sequence[int]) -> RunCounts:
    """Returns the counts of a page's runs. `tag` are the tags of its elements, `kept` the numbers of its text's runs in
    ascending order."""
    texts, words, flags = columns.texts, columns.words, columns.flags
    ends, tags = [text[-1:] for text in texts], [tag[element] for element in columns.elements]
    runs = list(zip(words, columns.linked, flags, strict=True))
    top = [run for run, one in enumerate(tags) if one == _H1 and flags[run] & HEADING]
    questions = [run for run, end in enumerate(ends) if end and end in QUESTIONS]
    counted = [
        *_of_page(runs),
        sum(map(ends.count, _ENDS)),
        len(questions),
        len([True for run in questions if words[run] >= LIMITS.question]),
        *_of_headings(runs),
        len([True for run in questions if flags[run] & HEADING]),
        *(len(top), top[0] if top else -1, min((abs(kept[0] - one) for one in top), default=-1) if kept else -1),
        *_of_paragraphs([runs[run] for run, one in enumerate(tags) if one == _P]),
        *_of_sections(runs),
        *_of_text([runs[run] for run in kept]),
        sum(map([ends[run] for run in kept].count, _ENDS)),
        *_of_span(runs[kept[0] : kept[-1] + 1] if kept else []),
    ]
    return RunCounts._make(counted)


_Run = tuple[int, int, int]
"""Words, linked words and flags of a run."""


def _of_page(runs: Sequence[_Run]) -> list[int]:
    prose = [w for w, linked, _ in runs if w >= LIMITS.prose and linked * 3 < w]
    words, linked_words, listed = _of_text(runs)
    return [words, linked_words, sum(prose), len(prose), listed]


def _of_headings(runs: Sequence[_Run]) -> list[int]:
    linked_runs = [(w, f) for w, linked, f in runs if w and w == linked]
    linked_headings = [w for w, f in linked_runs if f & TOP_HEADING]
    return [
        len([True for _, _, f in runs if f & TOP_HEADING]),
        len(linked_headings),
        len([True for w in linked_headings if w > LIMITS.menu]),
        len([True for w, _ in linked_runs if w >= LIMITS.headline]),
    ]


def _of_paragraphs(runs: Sequence[_Run]) -> list[int]:
    long = [(w, linked) for w, linked, _ in runs if w >= LIMITS.prose]
    return [sum([w for w, _, _ in runs]), len(long), sum([w for w, linked in long if linked * 3 < w])]


def _of_sections(runs: Sequence[_Run]) -> list[int]:
    """The words between headings, and the headings with a text directly below them."""
    sections, cards, below = [0], 0, False
    for w, linked, f in runs:
        if f & HEADING:
            sections.append(0)
            below = True
            continue
        if w != linked:
            sections[-1] += w
            cards += below and LIMITS.least_card <= w <= LIMITS.most_card
        below = False
    some = [w for w in sections if w >= LIMITS.section]
    return [len(some), sum(some), max(some, default=0), sum([w for w in some if w <= LIMITS.short_section]), cards]


def _of_text(runs: Sequence[_Run]) -> list[int]:
    listed = sum([w for w, _, f in runs if f & LIST_ITEM])
    return [sum([w for w, _, _ in runs]), sum([linked for _, linked, _ in runs]), listed]


def _of_span(span: Sequence[_Run]) -> list[int]:
    longest = block = 0
    parts = [0]
    for w, linked, f in span:
        if f & HEADING:
            parts.append(0)
        else:
            parts[-1] += w
        if w >= LIMITS.block and linked * 2 < w:
            block += w
            longest = max(longest, block)
        elif f & TOP_HEADING:
            block = 0
    labels = len([True for w, _, _ in span if w <= LIMITS.label])
    words, linked_words, _ = _of_text(span)
    return [words, linked_words, len(parts) - 1, labels, longest, max(parts), sum(parts)]
