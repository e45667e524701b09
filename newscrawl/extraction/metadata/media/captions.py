"""The caption and the credit of a picture, from the figure around it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from newscrawl.extraction.metadata.text import clean
from newscrawl.page import Page
from newscrawl.page.tags import TAG_NAMES

MAX_CAPTION: Final = 1_000
MAX_CREDIT: Final = 200
_ATTRIBUTES: Final = ("class", "id", "hidden", "style")
UNDISPLAYED: Final = "\0undisplayed"
"""What no class can be."""

MAX_NAMES: Final = 500
"""Characters of an element's names that are read."""

_LEVELS: Final = 8
"""The most elements between a picture and its figure."""
_CLASS_LEVELS: Final = 4
"""The same for an element whose class says that it is one."""
_MAX_INSIDE: Final = 60
"""The most elements inside a figure. A larger one contains other parts of the page."""

_FIGURE, _FIGCAPTION = TAG_NAMES.index("figure"), TAG_NAMES.index("figcaption")
_BOX: Final = ("caption", "figure", "article-image", "articleimage", "image-wrap", "photo", "media")
_CAPTION: Final = ("caption", "legend", "bildunter", "bildtext", "pie-de-foto", "piedefoto")
_CREDIT: Final = (
    "credit", "copyright", "photographer", "image-source", "imagesource", "bildquelle", "fotograf", "attribution",
)  # fmt: skip
"""Parts of names of elements, in lower case."""

_CREDITED: Final = re.compile(
    r"(?:(?:image|photo|picture|video)\s(?:credit|source)|fotos?|photos?|photograph|screenshot|image|bild(?:er|quelle)?|"
    r"picture|beeld|fotoğraf|kuva|kép|obrázek|illustration|grafik|credits?|crédits?(?: photo)?|quelle|source|copyright|"
    r"foto de|"
    r"(?:photo )?courtesy(?: of)?|zdjęcie|фото|снимка|fot\.|"
    r"图片来源|图源|攝影|摄影|图|写真|撮影|사진|तस्वीर|תמונה|عکس|تصوير)"
    r"(?:[^\w\s:]{0,3}\s?[:：=]|\s?(?:by\b|von\b|par\b|di\b|/|\|))\s?([^()\[\]]{2,200})[)\]]?\s?$"
    r"|(?:©|\(c\)|\bfot\.)\s?([^()\[\]]{2,200})[)\]]?\s?$"
    r"|(?:^|[\s。＝=（(])((?:[\u3400-\u9fff]{0,6}(?:记者|記者)\s?)?[\u30a0-\u30ff\u3400-\u9fff·／/]{2,20}?)\s?(?:摄影|攝影|撮影|摄|攝)[)）]?\s?$"
)
"""The end of a caption that says who took the picture, in lower case."""
_EAST_ASIAN: Final = 3
"""The group of a name before the word for taking pictures. These scripts have no blanks."""
_AGENCY: Final = re.compile(r"\s\(?((?:AP|AFP|EPA|REUTERS|Reuters)(?: Photo)?/[^()]{2,80})\)?\s?$")
_MARKS: Final = " ()[]（）|/–—-＝="


def split_credit(caption: str) -> tuple[str, str]:
    """Returns a caption without the credit at its end, and the credit, "" if there is none: "It rains. Photo: Ada"."""
    if agency := _AGENCY.search(caption):
        return caption[: agency.start()].rstrip(_MARKS), agency.group(1)
    start = max(0, len(caption) - MAX_CREDIT - 40)
    end = caption[start:].lower()
    if len(end) == len(caption) - start:
        for found in _CREDITED.finditer(end):
            group = next(number for number in (1, 2, 3) if found.group(number))
            if group == _EAST_ASIAN or not found.start() or not end[found.start() - 1].isalnum():
                name = caption[start + found.start(group) : start + found.end(group)]
                first = found.start(group) if group == _EAST_ASIAN else found.start()
                return caption[: start + first].rstrip(_MARKS), name.strip(_MARKS)
    return caption, ""


def _names(classes: str | None, name: str | None, hidden: str | None, style: str | None) -> str:
    names = f"{classes or ''} {name or ''}"[:MAX_NAMES].lower() if classes or name else ""
    if hidden is None and (style is None or "none" not in style):
        return names
    is_shown = hidden is None and "display:none" not in (style or "")[:MAX_NAMES].replace(" ", "").lower()
    return names if is_shown else names + UNDISPLAYED


class Captions:
    """The figures of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._read = page.elements.reader()
        self._known: dict[int, str] = {}

    def names_of(self, element: int) -> str:
        """Returns the class and the id of an element in lower case, "" without any, with `UNDISPLAYED` if the element
        itself is not shown."""
        known = self._known.get(element)
        if known is None:
            values = self._read(element, _ATTRIBUTES)
            known = self._known[element] = _names(*values) if values is not None else ""
        return known

    def figure_of(self, element: int) -> int | None:
        """Returns the figure around an element: the nearest <figure>, else an element with such a class."""
        elements = self._page.elements
        by_class: int | None = None
        for level, ancestor in enumerate(elements.ancestors(element)):
            if elements.tag[ancestor] == _FIGURE:
                return ancestor
            if level < _CLASS_LEVELS and by_class is None and self._is_box(ancestor):
                by_class = ancestor
            if level == _LEVELS:
                break
        return by_class

    def of(self, figure: int) -> tuple[str | None, str | None]:
        """Returns the caption and the credit of a figure, the credit without words such as "Photo:"."""
        end = self._end_of(figure)
        caption = credit = ""
        elements = self._page.elements
        for element in range(figure + 1, end):
            is_caption = elements.tag[element] == _FIGCAPTION
            names = self.names_of(element)
            if not names and not is_caption:
                continue
            if not credit and any(map(names.__contains__, _CREDIT)):
                credit = self._text(element) or clean(self._page.text_of(element)) or ""
            elif not caption and (is_caption or any(map(names.__contains__, _CAPTION))):
                caption = self._text(element)
        if credit and credit != caption and caption.endswith(credit):
            caption = caption[: -len(credit)].rstrip(_MARKS)
        if caption:
            caption, named = split_credit(caption)
            credit = credit or named
        if credit:
            credit = split_credit(credit)[1] or credit.strip(_MARKS)
        return clean(caption, MAX_CAPTION), clean(credit, MAX_CREDIT)

    def _is_box(self, element: int) -> bool:
        names = self.names_of(element)
        return any(map(names.__contains__, _BOX)) and self._end_of(element) - element <= _MAX_INSIDE

    def _end_of(self, element: int) -> int:
        return self._page.elements.end_of(element, element + _MAX_INSIDE + 1)

    def _text(self, element: int) -> str:
        """Returns the text inside an element, whose runs are next to each other."""
        end = self._end_of(element)
        first = next((self._first_run[e] for e in range(element, end) if e in self._first_run), None)
        if first is None:
            return ""
        texts: list[str] = []
        for run in self._page.runs[first : first + _MAX_INSIDE]:
            if not element <= run.element < end:
                break
            texts.append(run.text[:MAX_CAPTION])
        return " ".join(texts)[: 2 * MAX_CAPTION]

    @cached_property
    def _first_run(self) -> dict[int, int]:
        """The first run of each element."""
        runs = self._page.runs
        return {runs[number].element: number for number in range(len(runs) - 1, -1, -1)}
