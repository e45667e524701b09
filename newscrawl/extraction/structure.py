"""The structure of a text: what its paragraphs are, and its links. Both are read of the page's elements around the kept
runs; the text itself has none of it.

A paragraph of the text is what stands between two empty lines. Its kind is that of the nearest element around its first
run. An element of a list that holds most of the text is the frame of an article, not an item; a table that holds
paragraphs is a layout, and its cells are none.

A link is found by its words in the paragraph, behind the link before it, because runs do not say where links are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final
from urllib.parse import urljoin, urlsplit

from newscrawl.extraction.cleanup.restore import CELL_WORDS, MIN_CELLS, MIN_ROWS
from newscrawl.extraction.element_predicates import nearest, numbers_of
from newscrawl.extraction.render import lines_of, without_invisible
from newscrawl.model import PARAGRAPH_GAP, Extraction, Structure, TextLink
from newscrawl.model.identity.urls import absolute_address
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, CodeOfElements
from newscrawl.page.head import links_between
from newscrawl.page.tags import TAG_NAMES

MAX_PARAGRAPHS: Final = 4_000
"""A text with more has no structure."""
MAX_DEPTH: Final = 9
"""The greatest depth of an item. Deeper ones count as this deep."""
MAX_LINKS: Final = 200
"""Links of a text that are kept: the first."""
MAX_TRIED: Final = 1_000
"""Links of a text that are looked for."""
MAX_ADDRESS: Final = 2_000
"""Characters of a link's address. A link with a longer one is left out."""
MAX_ADDRESSES: Final = 40_000
"""Characters of all addresses of a text."""
WINDOW: Final = 10_000
"""Characters behind the link before in which a link's words are looked for."""
MAX_BETWEEN: Final = 1_000
"""Elements between two cells of a row among which empty cells are looked for."""
CONTEXT: Final = 20
"""Characters before a link that tell it from the same words elsewhere in the paragraph."""
FRAME: Final = 2 / 3
"""Share of a text's paragraphs that the item of a list holds at least if it is the frame of an article."""
FRAMED: Final = 3
"""The least paragraphs that stand directly in such an item."""

_CODES: Final = {f"h{level}": f"h{level}" for level in range(1, 7)} | {
    "blockquote": "q",
    "figcaption": "c",
    "caption": "c",
    "pre": "x",
    **dict.fromkeys(("li", "dt", "dd"), ""),
}
"""The codes of the elements that say what a paragraph is; those of items depend on what is around them."""
_OWNERS: Final = numbers_of(_CODES)
_ITEMS: Final = numbers_of(["li", "dd"])
_LISTS: Final = numbers_of(["ul", "ol", "dl", "menu"])
_CELLS: Final = numbers_of(["td", "th"])
_TABLE: Final = TAG_NAMES.index("table")
_ANCHOR: Final = TAG_NAMES.index("a")
_MAILTO: Final = re.compile(r"mailto:[\w.!#$%&'*+/=^{}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}", re.ASCII)


def structure_of(page: Page, found: Extraction) -> Structure | None:
    """Returns the structure of a text that was made of `page`; None for one that is not of its runs, and for one with
    more than `MAX_PARAGRAPHS` paragraphs. Linear in the page. Never raises because of a page."""
    texts = found.text.split(PARAGRAPH_GAP)
    if not found.runs or len(texts) > MAX_PARAGRAPHS:
        return None
    paragraphs = lines_of(page, found.runs, PARAGRAPH_GAP)
    if len(paragraphs) != len(texts):  # lines of invisible characters alone
        return None
    kinds = _Kinds(page, paragraphs)
    codes = [kinds.code(page.runs[runs[0]].element) for runs in paragraphs]
    return Structure(" ".join(codes), tuple(islice(_Links(page).of(paragraphs, texts), MAX_LINKS)))


class _Kinds:
    """Tells what paragraphs are. They are asked for once each, in their order."""

    def __init__(self, page: Page, paragraphs: Sequence[Sequence[int]]) -> None:
        elements = page.elements
        self._tag, self._parent = tag, _ = elements.tag, elements.parent
        own = [page.runs[runs[0]].element for runs in paragraphs]
        frames = _frames(page, own)
        self._frame = max(frames, default=NO_PARENT)
        self._owner = nearest(elements, lambda one: tag[one] in _OWNERS and one not in frames)
        self._list = nearest(elements, lambda one: tag[one] in _LISTS)
        self._table = nearest(elements, lambda one: tag[one] == _TABLE)
        data = self._data_tables(page, paragraphs, own) if elements.first_of(_TABLE) >= 0 else ()
        self._cell = nearest(elements, lambda one: tag[one] in _CELLS and self._table(one) in data) if data else None
        self._last = NO_PARENT
        self._seen: set[int] = set()
        """Items, cells, rows and tables of paragraphs before, and definition lists with a term."""

    def code(self, element: int) -> str:
        """Returns the code of the paragraph whose first run is in `element`."""
        if self._cell is not None and (cell := self._cell(element)) != NO_PARENT:
            return self._code_of_cell(cell)
        owner = self._owner(element)
        if owner == NO_PARENT:
            return "p"
        name = TAG_NAMES[self._tag[owner]]
        return _CODES[name] or self._code_of_item(owner, name)

    def _code_of_item(self, item: int, name: str) -> str:
        around = self._list(item)
        depth, above = 1, around
        while depth < MAX_DEPTH and above != NO_PARENT and (above := self._list(self._parent[above])) > self._frame:
            depth += 1
        if self._is_seen(item) or (name == "dd" and around in self._seen):
            return f"+{depth}"
        if name == "dt":
            self._seen.add(around)
        return f"{'o' if around != NO_PARENT and TAG_NAMES[self._tag[around]] == 'ol' else 'u'}{depth}"

    def _code_of_cell(self, cell: int) -> str:
        if self._is_seen(cell):
            return "+"
        row = self._parent[cell]
        before, self._last = max(row, self._last), cell
        between = range(before + 1, cell if cell - before <= MAX_BETWEEN else 0)
        empty = sum(self._parent[one] == row and self._tag[one] in _CELLS for one in between)
        place = "." if self._is_seen(row) else "r"
        place = place if self._is_seen(self._table(cell)) else "t"
        return f"{place}{empty or ''}"

    def _is_seen(self, element: int) -> bool:
        """Returns whether a paragraph before was of the element."""
        known = element in self._seen
        self._seen.add(element)
        return known

    def _data_tables(self, page: Page, paragraphs: Sequence[Sequence[int]], own: Sequence[int]) -> set[int]:
        """Returns the tables of short cells side by side."""
        tag = self._tag
        cell_of = nearest(page.elements, lambda one: tag[one] in _CELLS)
        words: defaultdict[int, int] = defaultdict(int)
        rows: defaultdict[int, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        for runs, element in zip(paragraphs, own, strict=True):
            if (cell := cell_of(element)) != NO_PARENT:
                table = self._table(cell)
                rows[table][self._parent[cell]].add(cell)
                words[table] += sum(page.runs[run].words for run in runs)
        return {
            table
            for table, of_table in rows.items()
            if sum(len(cells) >= MIN_CELLS for cells in of_table.values()) >= MIN_ROWS
            and words[table] <= CELL_WORDS * sum(map(len, of_table.values()))
        }


def _frames(page: Page, own: Sequence[int]) -> Sequence[int]:
    """Returns the item of a list that is the frame of an article whose paragraphs are in the elements `own`, and the
    items around it. A frame holds most of the paragraphs, and several of them directly."""
    elements = page.elements
    item_of = nearest(elements, lambda one: elements.tag[one] in _ITEMS)
    items, item = list[int](), item_of(own[len(own) // 2])
    while item != NO_PARENT and len(items) < MAX_DEPTH:
        items.append(item)
        item = item_of(elements.parent[item])
    for place, item in enumerate(items):
        if sum(item_of(one) == item for one in own) >= FRAMED:
            end = elements.end_of(item)
            if sum(item <= one < end for one in own) > FRAME * len(own):
                return items[place:]
    return ()


class _Links:
    """Finds the links of a text."""

    def __init__(self, page: Page) -> None:
        self._page = page
        tag = page.elements.tag
        self._anchor = nearest(page.elements, lambda one: tag[one] == _ANCHOR)
        self._left, self._room = MAX_TRIED, MAX_ADDRESSES
        try:
            self._base = urljoin(page.url or "", page.head.base or "")
            self._origin = urljoin(self._base, "/").removesuffix("/")
        except ValueError:
            self._base = self._origin = ""

    def of(self, paragraphs: Sequence[Sequence[int]], texts: Sequence[str]) -> Iterator[TextLink]:
        """Yields the links of paragraphs, given as their runs and their texts."""
        for number, (indices, text) in enumerate(zip(paragraphs, texts, strict=True)):
            runs = [run for index in indices if (run := self._page.runs[index]).linked_words]
            placed = self._placed(runs, text.replace("\n", " ")) if runs else ()
            for start, end, href in placed:
                address = self._address(href)
                if address is not None:
                    yield TextLink(number, start, end - start, address)

    def _placed(self, runs: Sequence[TextRun], line: str) -> list[tuple[int, int, str]]:
        """Returns where links begin and end in a paragraph, and their addresses as written."""
        placed: list[tuple[int, int, str]] = []
        last, at = NO_PARENT, 0
        for anchor, href, words in (link for run in runs for link in self._links_of(run)):
            self._left -= 1
            start = self._find(line, words, at, anchor) if self._left >= 0 else -1
            if start < 0:
                continue
            begin = start
            if placed and anchor == last and start <= at + 1:  # around several runs of the paragraph
                begin = placed.pop()[0]
            last, at = anchor, start + len(words)
            placed.append((begin, at, href))
        return placed

    def _links_of(self, run: TextRun) -> Iterator[tuple[int, str, str]]:
        """Yields the anchor of each link of a run, its address as written, and its words."""
        elements, code = self._page.elements, run.counted_code
        around = self._anchor(run.element)
        if around != NO_PARENT:
            yield around, ((elements.values(around, ("href",)) or ("",))[0] or "").strip(), without_invisible(run.text)
        elif isinstance(code, CodeOfElements):
            for link in links_between(self._page.links, code.first, code.end):
                if words := without_invisible(link.text):
                    yield link.element, link.href, words

    def _find(self, line: str, words: str, at: int, anchor: int) -> int:
        """Returns where a link stands in its paragraph; -1 if it does not. Where its words stand there several times,
        the text before it in the page decides."""
        end = at + WINDOW + len(words)
        first = line.find(words, at, end)
        if first < 0 or line.find(words, first + 1, end) < 0:
            return first
        text = self._page.tree.text_before(anchor)[-4 * CONTEXT :]
        before = without_invisible(" ".join(text.split())[-CONTEXT:] + " " * text[-1:].isspace())
        place = line.find(before + words, max(0, at - len(before)), end)
        return place + len(before) if place >= 0 and place + len(before) >= at else first

    def _address(self, href: str) -> str | None:
        """Returns the absolute address of a link; None if it leads to no page and no mailbox, if it holds a user's
        name, and if it is too long."""
        if not href or len(href) > MAX_ADDRESS:
            return None
        if href[:7].lower() == "mailto:":
            mailbox = "mailto:" + href[7:].partition("?")[0]
            return mailbox if _MAILTO.fullmatch(mailbox) else None
        if href[0] == "/" and href[1:2] != "/" and "/." not in href:
            href = self._origin + href  # as urljoin does, which takes longer
        address = absolute_address(href, self._base)
        if address is None or len(address) > MAX_ADDRESS or ("@" in address and "@" in urlsplit(address).netloc):
            return None
        self._room -= len(address)
        return address if self._room >= 0 else None
