"""Writes a text with its structure as Markdown (CommonMark with tables) and as HTML.

All that a text could be read as is escaped: no words of a page become markup, an element of HTML or a link. Lists have
new numbers, which begin at 1. A text without a structure is paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, TypeAlias

from newscrawl.model import PARAGRAPH_GAP, Structure, TextLink
from newscrawl.model.wording import harmless

Line: TypeAlias = Sequence[tuple[str, str | None]]
"""A paragraph: its words in order, those of a link with the address."""

_KINDS: Final = {
    "p": "paragraph",
    "h": "heading",
    "u": "item",
    "o": "item",
    "+": "further",
    "q": "quote",
    "t": "table",
    "r": "row",
    ".": "cell",
    "c": "caption",
    "x": "preformatted",
}
_MARKUP: Final = re.compile(
    r"[\\`*_\[\]<>~|]|&(?=#?\w{1,32};)|(?<=\bhttp):(?=//)|(?<=\bhttps):(?=//)|(?<=\bftp):(?=//)|(?<=\bwww)\.",
    re.IGNORECASE,
)
"""Characters that are markup anywhere. Some renderers make links of bare addresses."""
_LINE_START: Final = re.compile(
    r"^(\d{0,9})([-+=](?<!\d.)|(?<=\d)[.)](?=\s|$)|#(?=#{0,5}(?:\s|$))|:(?=-))", re.MULTILINE
)
"""What is markup at the beginning of a line: items, headings, and lines below headings and heads of tables."""
_BLANK_START: Final = re.compile(r"^\s+", re.MULTILINE)
_REFERENCE: Final = re.compile(r"&(?=#?\w{1,32};)")
_IN_ADDRESS: Final = str.maketrans({"<": "%3C", ">": "%3E", "\\": "%5C", " ": "%20", "|": "%7C", "\n": "%0A"})
_FENCES: Final = re.compile("`{3,}")
SCHEMES: Final = ("http://", "https://", "mailto:")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of a text and what it is: `paragraph`, `heading`, `item` of a list, `further` paragraph of the item
    or cell before, `quote`, `table` (first cell of a table), `row` (first cell of a further row), `cell`, `caption`,
    `preformatted`. `level` is that of a heading, or the depth of an item from 1; else 0. `ordered` items have numbers.
    """

    kind: str
    text: str
    level: int = 0
    ordered: bool = False


class StructuredText:
    """The forms of a text with its structure, for a class that has both."""

    __slots__ = ()

    if TYPE_CHECKING:  # at run time they would be defaults of a dataclass's fields

        @property
        def text(self) -> str: ...
        @property
        def structure(self) -> Structure | None: ...

    @property
    def markdown(self) -> str:
        """The text as Markdown, with headings, lists, quotations, tables and links."""
        return markdown(self.text, self.structure)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The paragraphs of the text, and what they are."""
        pairs = _coded(self.text, self.structure) if self.text else ()
        return tuple(
            Block(_KINDS[code[0]], text, int(code[1:] or 0) if code[0] in "huo+" else 0, code[0] == "o")
            for code, text in pairs
        )

    @property
    def links(self) -> tuple[TextLink, ...]:
        """The links in the text."""
        return self.structure.links if self.structure is not None else ()


def markdown(text: str, structure: Structure | None) -> str:
    """Returns the text as Markdown."""
    parts: list[str] = []
    for kind, lines in _groups(text, structure):
        if kind == "list":
            parts.append(_list(lines))
        elif kind == "table":
            parts.append(_table(lines))
        elif kind == "q":
            parts.append("\n>\n".join(_indented(_written(line), "> ", "> ") for _, line in lines))
        elif kind == "x":
            words = "".join(words for words, _ in lines[0][1])
            fence = max(["```", *(f"{found}`" for found in _FENCES.findall(words))], key=len)
            parts.append(f"{fence}\n{words}\n{fence}")
        elif kind[0] == "h":
            parts.append(f"{'#' * int(kind[1:])} {_written(lines[0][1], in_line=True)}")
        else:
            written = _written(lines[0][1])
            parts.append(f"*{written.strip()}*" if kind == "c" else written)
    return "\n\n".join(parts)


def html(text: str, structure: Structure | None, below: int = 0) -> str:
    """Returns the text as HTML: nothing of it is an element, and links are only those of the structure. The levels of
    headings are counted from the level `below`."""
    parts: list[str] = []
    for kind, lines in _groups(text, structure):
        if kind == "list":
            parts.append(_html_list(lines))
        elif kind == "table":
            cells = (("" if code[0] == "." else "<tr>", "<td></td>" * int(code[1:] or 0), line) for code, line in lines)
            parts.append(
                f"<table>{''.join(f'{row}{empty}<td>{_html(line)}</td>' for row, empty, line in cells)}</table>"
            )
        elif kind == "q":
            parts.append(f"<blockquote>{''.join(f'<p>{_html(line)}</p>' for _, line in lines)}</blockquote>")
        else:
            tag = {"x": "pre", "c": "p"}.get(kind) or (f"h{min(int(kind[1:]) + below, 6)}" if kind != "p" else kind)
            parts.append(f"<{tag}>{_html(lines[0][1])}</{tag}>")
    return "\n".join(parts)


def part_of(text: str, structure: Structure | None, start: int, end: int) -> tuple[str, Structure | None]:
    """Returns the part of a text from one character up to another, with its structure."""
    codes: list[str] = []
    texts: list[str] = []
    links: list[TextLink] = []
    at = 0
    for number, (code, words) in enumerate(_coded(text, structure)):
        first = max(start - at, 0)
        part = words[first : max(end - at, 0)].rstrip()
        last = first + len(part)
        if part:
            for link in structure.links if structure is not None else ():
                begin, stop = max(link.start, first), min(link.start + link.length, last)
                if link.paragraph == number and begin < stop:
                    links.append(TextLink(len(codes), begin - first, stop - begin, link.url))
            codes.append(code)
            texts.append(part)
        at += len(words) + len(PARAGRAPH_GAP)
    return PARAGRAPH_GAP.join(texts), Structure(" ".join(codes), tuple(links))


def _groups(text: str, structure: Structure | None) -> Iterator[tuple[str, list[tuple[str, Line]]]]:
    """Yields what stands alone, and lists, tables and quotations as a whole, with the code and the words of each
    paragraph. A list never goes deeper by more than one step."""
    group: list[tuple[str, Line]] = []
    kind, depth = "", 0
    for code, line in _paragraphs(text, structure):
        first = code[0]
        if code == "+" and kind == "table":
            group[-1] = (group[-1][0], (*group[-1][1], (" ", None), *line))
            continue
        if first == "+" and (code == "+" or kind != "list"):
            code = first = "p"
        elif first == "." and kind != "table":  # of a part of a text that begins in a row
            code, first = f"r{code[1:]}", "r"
        own = "list" if first in "uo+" else "table" if first in "tr." else code
        if group and (own != kind or own not in {"list", "table", "q"} or first == "t"):
            yield kind, group
            group, depth = [], 0
        if own == "list":
            depth = min(int(code[1:]), depth + (first != "+"))
            code = f"{first}{depth}"
        kind = own
        group.append((code, line))
    if group:
        yield kind, group


def _coded(text: str, structure: Structure | None) -> Iterator[tuple[str, str]]:
    """Returns the paragraphs of a text, each with its code."""
    texts = text.split(PARAGRAPH_GAP)
    codes = structure.blocks.split() if structure is not None else ["p"] * len(texts)
    return zip(codes, texts, strict=True)


def _paragraphs(text: str, structure: Structure | None) -> Iterator[tuple[str, Line]]:
    """Yields the code and the words of each paragraph that is not empty."""
    links: dict[int, list[TextLink]] = {}
    for link in structure.links if structure is not None else ():
        links.setdefault(link.paragraph, []).append(link)
    for number, (code, words) in enumerate(_coded(text, structure)):
        trimmed = _BLANK_START.sub("", words)
        if trimmed == words and words:
            yield code, tuple(_parted(words, links.get(number, ())))
        elif trimmed:  # an invisible character stood before the blank
            yield code, ((trimmed, None),)


def _parted(words: str, links: Sequence[TextLink]) -> Iterator[tuple[str, str | None]]:
    at = 0
    for link in links:
        if link.start > at:
            yield words[at : link.start], None
        at = link.start + link.length
        yield words[link.start : at], link.url
    if at < len(words):
        yield words[at:], None


def _written(line: Line, *, in_line: bool = False) -> str:
    """Returns a paragraph as Markdown; `in_line` where no line may begin in it, in a heading and a cell."""
    parts: list[str] = []
    for words, address in line:
        safe = _MARKUP.sub(r"\\\g<0>", words)
        safe = safe if in_line else _LINE_START.sub(r"\1\\\2", safe)
        if address is not None:
            target = _REFERENCE.sub("&amp;", address.translate(_IN_ADDRESS))
            safe = f"[{safe}](<{target}>)" if "(" in target or ")" in target else f"[{safe}]({target})"
            if parts and parts[-1].endswith("!"):  # else it would be a picture
                parts[-1] = f"{parts[-1][:-1]}\\!"
        parts.append(safe)
    written = "".join(parts)
    if not in_line:
        return written.replace("\n", "\\\n")
    written = written.replace("\n", " ")
    return f"{written[:-1]}\\#" if written.endswith("#") else written


def _indented(written: str, first: str, others: str) -> str:
    return first + written.replace("\n", f"\n{others}")


def _list(items: Sequence[tuple[str, Line]]) -> str:
    """Returns the items of a list, each with its further paragraphs, as Markdown."""
    written: list[str] = []
    levels: list[tuple[str, int, int]] = []  # of each open list: its kind, the number of its last item, the indentation
    for code, line in items:
        first, depth = code[0], int(code[1:])
        del levels[depth:]
        if first == "+":
            indent = " " * sum(level[2] for level in levels)
            written.append(f"\n{_indented(_written(line), indent, indent)}")
            continue
        number = 1
        if len(levels) == depth:
            kind, last, _ = levels.pop()
            number = last + 1 if kind == first else 1
        indent = " " * sum(level[2] for level in levels)
        marker = "- " if first == "u" else f"{number}. "
        levels.append((first, number, len(marker)))
        written.append(_indented(_written(line), indent + marker, indent + " " * len(marker)))
    return "\n".join(written)


def _table(cells: Sequence[tuple[str, Line]]) -> str:
    rows: list[list[str]] = []
    for code, line in cells:
        if code[0] != ".":
            rows.append([])
        rows[-1] += [*[""] * int(code[1:] or 0), _written(line, in_line=True)]
    width = max(map(len, rows))
    head, *further = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
    return "\n".join([head, f"|{' --- |' * width}", *further])


def _html(line: Line) -> str:
    parts: list[str] = []
    for words, address in line:
        safe = escape(harmless(words)).replace("\n", "<br>")
        if address is not None and address.startswith(SCHEMES):
            safe = f'<a href="{escape(address)}" rel="nofollow noreferrer">{safe}</a>'
        parts.append(safe)
    return "".join(parts)


def _html_list(items: Sequence[tuple[str, Line]]) -> str:
    parts: list[str] = []
    opened: list[str] = []
    for code, line in items:
        depth, tag = int(code[1:]), "ol" if code[0] == "o" else "ul"
        while len(opened) > depth or (len(opened) == depth and code[0] != "+" and opened[-1] != tag):
            parts.append(f"</li></{opened.pop()}>")
        if code[0] == "+":
            parts.append(f"<p>{_html(line)}</p>")
        elif len(opened) == depth:
            parts.append(f"</li><li>{_html(line)}")
        else:
            opened.append(tag)
            parts.append(f"<{tag}><li>{_html(line)}")
    return "".join([*parts, *(f"</li></{tag}>" for tag in reversed(opened))])
