"""Measures of where a page's text, headings and links are, of its sections, of dates beside its headline, and of
repeated boxes: elements beside each other that all contain the same things.

An article has one long section, a landing page many short ones. A listing repeats a link with a heading, a shop a price
with a button, a thread a text with a time. What they have is recognized by numbers and addresses, not by words of the
text. What an element contains is passed up the tree once, so the time is linear in the page's size. Boxes of a listing
or posts of a thread are written by one template, so their headings and times have equal paths.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final
from urllib.parse import urlsplit

from newscrawl.extraction.article.page_kinds.counts import Columns, RunCounts, has_price
from newscrawl.extraction.article.signals import Signals
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

TITLE_HYPHENS: Final = 3
"""Least hyphens of a link's last segment that may be a title."""
LAYOUT_FEATURES: Final = (
    "parts of the text", "longest part of the text", "words a part", "<h1> with text", "text after the <h1>",
    "words in <p>", "long <p>", "prose in <p>", "links", "links below the page", "links beside the page",
    "links to other hosts", "distinct links", "links to mail and telephone", "links within the page",
    "links like titles", "sentences that are questions", "places of the text", "elements of the text",
    "text at one place",
)  # fmt: skip
_EDGE: Final = "\0"
"""Stands before and after each address. No parser of HTML leaves this character in a value."""


def layout_features(signals: Signals, counts: RunCounts) -> Iterator[float]:
    """Yields the values of `LAYOUT_FEATURES`. `counts` are those of the page's runs."""
    c, words = counts, max(counts.words, 1)
    parts = c.span_headings + 1
    total = max(c.part_words, 1)
    yield from (log1p(c.span_headings), c.longest_part / total, log1p(total / parts))
    yield from (c.top_headings, c.top_distance)
    yield from (c.paragraph_words / words, c.long_paragraphs, c.long_prose / words)
    yield from _links(signals)
    yield log1p(c.question_sentences)
    yield from _places(signals)


def _links(signals: Signals) -> Iterator[float]:
    """The links, by where they lead: below the page's address, beside it, to other hosts, or to a part of the page.

    The addresses are searched as one text, in which each stands between two marks: that takes a tenth of the time of a
    loop over them.
    """
    found = signals.hrefs
    number = max(len(found), 1)
    parts = urlsplit(signals.url or "")
    root = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    above = path.rpartition("/")[0]
    addresses = f"{_EDGE}{(_EDGE + _EDGE).join(found)}{_EDGE}"
    paths = addresses.replace(f"{_EDGE}{root}", _EDGE)
    yield log1p(len(found))
    for start in (f"{path}/", f"{above}/"):
        yield (paths.count(f"{_EDGE}{start}") - paths.count(f"{_EDGE}{start}{_EDGE}")) / number
    yield sum(paths.count(f"{_EDGE}{start}") for start in ("http", "//")) / number
    distinct = set(found)
    yield log1p(len(distinct))
    yield log1p(sum(addresses.count(f"{_EDGE}{scheme}") for scheme in ("tel:", "mailto:")))
    yield log1p(sum(paths.count(f"{_EDGE}{start}#") for start in {"", path}))
    hyphens = [one for one in distinct if one.count("-") >= TITLE_HYPHENS]
    yield log1p(len([one for one in hyphens if one.rstrip("/").rpartition("/")[2].count("-") >= TITLE_HYPHENS]))


def _places(signals: Signals) -> Iterator[float]:
    """How much of the text is in the same element."""
    runs, parent = signals.page.runs, signals.page.elements.parent
    words: Counter[int] = Counter()
    for number in signals.extraction.runs:
        words[parent[runs[number].element]] += runs[number].words
    yield log1p(len(words))
    yield log1p(len({runs[number].element for number in signals.extraction.runs}))
    yield max(words.values(), default=0) / max(signals.words, 1)


NEAR_RUNS: Final = 8
"""Most runs between a headline and the date that belongs to it."""

_YEAR: Final = re.compile(r"(?<!\d)(?:19[89]|20[0-3])\d(?!\d)")
_QUOTES: Final = '“”„«»「」『』"'
_SHARE: Final = tuple(
    "sharer /intent/ /share? shareArticle /submit? pin/create wa.me/ whatsapp.com/send t.me/share mailto:?".split()
)
"""Parts of addresses by which a text is shared on social networks."""
_PATHS: Final = tuple(
    (frozenset(segments.split()), re.compile(f"/(?:{'|'.join(segments.split())})/"))
    for segments in (
        "tag tags topic topics category categories thema etiqueta etiquetas",
        "author authors autor auteur contributor contributors by staff writer writers",
        "u user users member members profile profiles",
    )
)
"""The path segments of the addresses of tags, authors and members, and a pattern for them."""

SECTION_FEATURES: Final = (
    "sections", "longest section", "short sections", "words a section", "cards", "date beside the headline",
    "short runs with a year", "short runs with a number", "quotation marks", "exclamation marks",
    "headings that are questions", "words of the <h1>", "<h1> in the title",
    "links to share", "links to tags", "links to authors", "links to members",
)  # fmt: skip


def section_features(signals: Signals, columns: Columns, counts: RunCounts) -> Iterator[float]:
    """Yields the values of `SECTION_FEATURES`. `columns` are the page's runs and `counts` what is counted of them."""
    total = max(counts.section_words, 1)
    yield from (log1p(counts.sections), counts.longest_section / total, counts.short_section_words / total)
    yield from (log1p(total / max(counts.sections, 1)), log1p(counts.cards))
    top = counts.top if counts.top_headings else None
    yield from _dates(columns, top)
    yield from _marks(signals, columns, counts)
    yield from _headline(signals, columns, top)
    addresses = "\n".join(signals.hrefs)
    yield log1p(sum(map(addresses.count, _SHARE)))
    segments = set(addresses.split("/"))
    for wanted, pattern in _PATHS:
        yield 0.0 if segments.isdisjoint(wanted) else log1p(len(pattern.findall(addresses)))


def _dates(columns: Columns, top: int | None) -> Iterator[float]:
    """Whether a year is beside the headline (run `top`), and the short runs with a year or another number."""
    numbers = [run for run in columns.with_digit if columns.words[run] != columns.linked[run]]
    years = [run for run in numbers if _YEAR.search(columns.texts[run])]
    yield top is not None and any(abs(run - top) <= NEAR_RUNS for run in years)
    yield log1p(len(years))
    yield log1p(len(numbers))


def _marks(signals: Signals, columns: Columns, counts: RunCounts) -> Iterator[float]:
    text = signals.extraction.text
    yield 100 * sum(map(text.count, _QUOTES)) / max(signals.words, 1)
    yield 100 * "".join(columns.texts).count("!") / max(counts.words, 1)
    yield log1p(counts.question_headings)


def _headline(signals: Signals, columns: Columns, top: int | None) -> Iterator[float]:
    yield log1p(columns.words[top]) if top is not None else 0.0
    yield top is not None and columns.texts[top].lower() in (signals.page.head.title or "").lower()


LINK, HEAD, PICTURE, TIME, PRICE, TEXT, BUTTON, DATE = (1 << bit for bit in range(8))
"""What a box contains."""
MIN_BOXES: Final = 3
"""The fewest equal boxes beside each other that count as repeated."""
TEXT_WORDS: Final = 15
"""Least words of a run that is a text of its box."""
BOXES: Final = {
    "link and heading": LINK | HEAD,
    "link and picture": LINK | PICTURE,
    "link, heading and picture": LINK | HEAD | PICTURE,
    "text and time": TEXT | TIME,
    "text and link": TEXT | LINK,
    "text, link and time": TEXT | LINK | TIME,
    "price and link": PRICE | LINK,
    "heading and text": HEAD | TEXT,
    "heading, picture and text": HEAD | PICTURE | TEXT,
    "button and text": BUTTON | TEXT,
    "button and heading": BUTTON | HEAD,
    "button and link": BUTTON | LINK,
    "text": TEXT,
    "text and date": TEXT | DATE,
    "link and date": LINK | DATE,
    "link, heading and date": LINK | HEAD | DATE,
}
"""The boxes that are counted, and what each contains."""
BOX_FEATURES: Final = (
    *(f"boxes of {name}" for name in BOXES),
    *(f"words in boxes of {name}" for name in BOXES),
)
_YEAR_OR_TIME: Final = re.compile(r"(?<!\d)(?:(?:19[89]|20[0-3])\d|\d\d?:\d\d)(?!\d)")
"""A year or a time of day."""
_WANTED: Final = tuple(BOXES.values())
_CONTENT: Final = {
    "a": LINK,
    "img": PICTURE,
    "time": TIME,
    "button": BUTTON,
    **dict.fromkeys((f"h{level}" for level in range(1, 6)), HEAD),
}
_OF_TAG: Final = tuple(_CONTENT.get(tag, 0) for tag in TAG_NAMES)
"""What an element of each tag is to its box."""


def box_features(signals: Signals, columns: Columns) -> Iterator[float]:
    """Yields the values of `BOX_FEATURES`: of each kind of box the greatest number beside each other (as a logarithm),
    and the greatest share of the page's words that such boxes have. `columns` are the page's runs."""
    elements = signals.page.elements
    contents, words = _own_contents(elements.tag, columns)
    numbers, most_words = _repeated_boxes(elements.parent, elements.tag, contents, words)
    yield from map(log1p, numbers)
    total = max(signals.page_words, 1)
    yield from (number / total for number in most_words)


def _own_contents(tag: Sequence[int], columns: Columns) -> tuple[list[int], list[int]]:
    """Returns what each element itself contains, without the elements in it, and its number of words."""
    c = columns
    contents, words = [_OF_TAG[one] for one in tag], [0] * len(tag)
    for number, linked_words, element in zip(c.words, c.linked, c.elements, strict=True):
        words[element] += number
        if number >= TEXT_WORDS and linked_words * 3 < number:
            contents[element] |= TEXT
    for run in c.with_digit:
        if c.prices and has_price(c.texts[run]):
            contents[c.elements[run]] |= PRICE
        if _YEAR_OR_TIME.search(c.texts[run]):
            contents[c.elements[run]] |= DATE
    return contents, words


def _repeated_boxes(
    parent: Sequence[int], tag: Sequence[int], contents: list[int], words: list[int]
) -> tuple[list[int], list[int]]:
    """Returns for each kind of box the greatest number of such elements beside each other (with the same parent and
    tag), and their most words. Fewer than `MIN_BOXES` are not counted. An element without words is no box.

    `contents` and `words` are those of each element itself; those of the elements in it are added to them.
    """
    for element in range(len(parent) - 1, 0, -1):
        above = parent[element]
        if above >= 0:
            contents[above] |= contents[element]
            words[above] += words[element]
    beside: dict[tuple[int, int], list[int]] = {}
    for element, place in enumerate(zip(parent, tag, strict=True)):
        if contents[element] and words[element]:
            beside.setdefault(place, []).append(element)
    boxes = {
        content: [box for box, needed in enumerate(_WANTED) if content & needed == needed] for content in set(contents)
    }
    numbers, most_words = [0] * len(_WANTED), [0] * len(_WANTED)
    for group in beside.values():
        if len(group) < MIN_BOXES:
            continue
        found: dict[int, list[int]] = {}
        for element in group:
            for box in boxes[contents[element]]:
                found.setdefault(box, []).append(words[element])
        for box, of_box in found.items():
            if len(of_box) >= MIN_BOXES:
                numbers[box] = max(numbers[box], len(of_box))
                most_words[box] = max(most_words[box], sum(of_box))
    return numbers, most_words


PATH_STEPS: Final = 5
"""Tags of the path by which headings and times are compared: those at the same place of repeated boxes have equal
paths."""
COMPARED: Final = {
    "headings": (("h2", "h3", "h4", "h5"), 0),
    "articles": (("article",), 1),
    "times": (("time",), 0),
    "items": (("li",), 1),
    "rows": (("tr",), 1),
    "sections": (("section",), 1),
    "links": (("a",), 2),
}
"""What is compared: its tags, and which element above has to be the same one (1 is the parent), 0 for equal paths."""
_GROUP_OF_TAG: Final = {tag: group for group, (tags, _) in enumerate(COMPARED.values(), 1) for tag in tags}
_GROUPS: Final = tuple(_GROUP_OF_TAG.get(tag, 0) for tag in TAG_NAMES)
"""The number of each tag's group, 0 for tags that are not compared."""
_ABOVE: Final = tuple(above for _, above in COMPARED.values())


def equal_places(parent: Sequence[int], tag: Sequence[int]) -> list[int]:
    """Returns for each group of tags, in their order, the greatest number of elements at the same place."""
    places: list[Counter[int | tuple[int, ...]]] = [Counter() for _ in _ABOVE]
    for element, code in enumerate(tag):
        if not (group := _GROUPS[code]):
            continue
        levels = _ABOVE[group - 1]
        places[group - 1][_above(element, parent, levels) if levels else _path(element, parent, tag)] += 1
    return [max(found.values(), default=0) for found in places]


def _above(element: int, parent: Sequence[int], levels: int) -> int:
    for _ in range(levels):
        if element != NO_PARENT:
            element = parent[element]
    return element


def _path(element: int, parent: Sequence[int], tag: Sequence[int]) -> tuple[int, ...]:
    path: list[int] = []
    while element != NO_PARENT and len(path) < PATH_STEPS:
        path.append(tag[element])
        element = parent[element]
    return tuple(path)
