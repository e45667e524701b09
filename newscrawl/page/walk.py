"""Walks lxml's tree once: collects text nodes into runs and numbers the elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import (
    BLANK_BEFORE,
    BLOCK_BEFORE,
    BREAK_BEFORE,
    IGNORED_BY_BOILERPIPE,
    PARAGRAPH_BEFORE,
    SPACE_BEFORE,
)
from newscrawl.page.runs import (
    ANCHORED,
    BLANK_NODE,
    CONCEALED,
    FAINT,
    LEVEL,
    LEVEL_SHIFT,
    LINKED,
    LOWERED,
    RAISED,
    SCRIPTS,
    UNSEEN,
    Gathered,
    digits_mark,
)
from newscrawl.page.styles import bits_of_style
from newscrawl.page.tags import BREAK, DECLARES, SKIPS, TAG_CODE, TAGS, TITLE, Tag

HEAD_TAGS: Final = frozenset({"title", "meta", "link", "base", "script", "style", "noscript", "template", "object"})
"""Tags that a head may contain."""

LEADS: Final = ("href", "onclick", "target", "role")
"""Attributes of an anchor that leads to another place or, by a script, does something."""

_VOID_TAGS: Final = frozenset({"br", "hr", "img", "input", "meta", "link", "base", "col"})
"""Tags that libxml2 never gives any content."""

_NO_BREAK_SPACE: Final = "\u00a0"

_OPEN, _VOID, _BREAKS, _LEAVES_OUT, _HEAD, _FINISH = range(6)
"""How the walk continues at an element: into it; past it; past a line break; past it and everything inside it; into a
head, for elements that do not belong there; or not at all."""


class Step(NamedTuple):
    """What the walk does at a tag."""

    number: int
    splits: int | None
    """The boundary's flags if the tag splits runs, else None."""
    bits: int
    level: int
    """Both are added to the mode of what is inside."""
    action: int
    """How to go on: one of the six above."""
    keeps_breaks: bool
    """Whether two line breaks with it between them are still two in a row."""
    declares: bool
    """Whether the hints read the element."""


@dataclass(slots=True)
class Walked:
    """The results of a walk: plain values, and the nodes from which more is read later."""

    gathered: list[Gathered] = field(default_factory=list)
    spacers: list[tuple[int, int]] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    """Element `i` of the page."""
    declarations: list[Any] = field(default_factory=list)
    """Heads, titles, scripts and declarations."""
    unseen: int = 0
    """Words that nobody sees, by the style of an element around them. They are in no run."""


class _End:
    """A node after the last one, which closes all open elements."""

    tag = "/"

    @staticmethod
    def getparent() -> None:
        return None


_END: Final = _End()


def _step(name: str, tag: Tag) -> Step:
    if tag.kind == SKIPS:
        action = _HEAD if name == "head" else _LEAVES_OUT
    else:
        action = _BREAKS if tag.kind == BREAK else _VOID if name in _VOID_TAGS else _OPEN
    bits = tag.inherited | {"a": LINKED | ANCHORED, "sup": RAISED, "sub": LOWERED}.get(name, 0)
    keeps_breaks = tag.kind in {SKIPS, BREAK} or bool(tag.boundary & PARAGRAPH_BEFORE)
    declares = tag.kind in {DECLARES, TITLE} or name in {"head", "script"}
    splits = tag.boundary if tag.splits else None
    return Step(tag.number, splits, bits, tag.level * LEVEL, action, keeps_breaks, declares)


_STEPS: Final[dict[str, Step]] = {name: _step(name, tag) for name, tag in TAGS.items()} | {
    _END.tag: Step(0, 0, 0, 0, _FINISH, True, False)
}
_UNKNOWN: Final = _STEPS["?"]


def walk(root: Any) -> Walked:
    """Visits every node once, in document order, without recursion (pages nest deeper than Python's stack allows).

    This is the hot loop: it runs for every element and text node of every page. So it handles both kinds of text
    (inside an element, and after it) in one place, and it reads from a node only what every caller needs: attributes
    are left in `Walked.nodes`.
    """
    walked = Walked()
    run = _Run(walked)
    add_text, end_run = run.add, run.end
    add_parent, add_tag, add_node = walked.parents.append, walked.tags.append, walked.nodes.append
    look_up = _STEPS.get
    stack: list[tuple[Any, int | None, int, int, int]] = []
    push, pop = stack.append, stack.pop
    # The innermost open element: its node, boundary, number, that of its nearest element that splits, its mode.
    open_node: Any = None
    open_boundary: int | None = None
    element = container = NO_PARENT
    mode = count = skipped = skipped_code = 0
    text = None
    remaining = iter(_in_order(root))
    for node in remaining:
        parent = node.getparent()
        while True:
            if text:  # before `node`, or before the end of an element that does not contain `node`
                add_text(text, mode, container, element)
            if parent is open_node:
                break
            text = open_node.tail
            if open_boundary is not None:
                end_run(open_boundary, count, skipped, skipped_code)
            open_node, open_boundary, element, container, mode = pop()
        number, splits, bits, level, action, keeps_breaks, declares = look_up(node.tag, _UNKNOWN)
        if splits is not None:
            end_run(splits, count, skipped, skipped_code)
        if declares:
            walked.declarations.append(node)
        if not keeps_breaks:
            run.after_break = False
        if action <= _BREAKS:
            add_node(node)
            add_tag(number)
            add_parent(element)
            if action == _OPEN:
                text = node.text
                push((open_node, open_boundary, element, container, mode))
                open_node, open_boundary, element = node, splits, count
                if splits is not None:
                    container = count
                mode = _inside(node, mode, splits, bits) + level
            else:
                text = node.tail
                if action == _BREAKS:
                    run.break_line()
            count += 1
        elif action != _FINISH:
            skipped += 1
            skipped_code += TAG_CODE[number]
            if action == _HEAD:
                text = None
                push((open_node, open_boundary, element, container, mode))
                open_node, open_boundary = node, splits
            else:
                text = _past(node, remaining)
    return walked


class _Run:
    """The run that is being collected, and the boundary before the next one."""

    __slots__ = (
        "after_break",
        "anchored",
        "boundary",
        "element",
        "inner",
        "linked",
        "mode",
        "scripts",
        "spacer",
        "texts",
        "walked",
    )

    def __init__(self, walked: Walked) -> None:
        self.walked = walked
        self.texts: list[str] = []
        self.linked: list[str] = []
        self.anchored: list[str] = []
        self.element = self.inner = self.mode = 0
        self.scripts = 0
        """Whether the last of `texts` is raised or lowered."""
        self.boundary = 0
        """Flags for the boundary between the run before and the next one."""
        self.spacer: int | None = None
        """The mode of a blank text node with a no-break space since the last boundary."""
        self.after_break = False

    def add(self, text: str, mode: int, container: int, element: int) -> None:
        """Adds a text node inside an element of this mode."""
        texts = self.texts
        if mode & CONCEALED:
            self.walked.unseen += len(text.split())
        elif text.isspace():
            if texts:
                texts.append(BLANK_NODE)
            else:
                self.boundary |= BLANK_BEFORE
                if _NO_BREAK_SPACE in text:
                    self.spacer = mode
        else:
            if not texts:
                self.element, self.inner, self.mode = container, element, mode | self.boundary
            elif mode & SCRIPTS != self.scripts:
                text = digits_mark(texts[-1], mode & SCRIPTS, text) + text
            self.scripts = mode & SCRIPTS
            texts.append(text)
            if mode & ANCHORED:
                self.anchored.append(text)
                if mode & LINKED:
                    self.linked.append(text)
            self.after_break = False

    def end(self, boundary: int, count: int, skipped: int, skipped_code: int) -> None:
        """Ends the run at a tag that splits, whose boundary has these flags, after so many elements."""
        spacer = self.spacer
        if self.texts:
            lists = self.texts, self.linked, self.anchored
            self.walked.gathered.append((*lists, self.element, self.mode, count, skipped, skipped_code, self.inner))
            self.texts, self.linked, self.anchored, self.boundary = [], [], [], boundary
        else:
            self.boundary |= boundary
            if spacer is not None and not spacer & IGNORED_BY_BOILERPIPE:
                self.walked.spacers.append((len(self.walked.gathered), spacer >> LEVEL_SHIFT))
        self.spacer = None

    def break_line(self) -> None:
        """Notes a line break; two in a row are a paragraph for jusText."""
        self.boundary |= BREAK_BEFORE | BLOCK_BEFORE | SPACE_BEFORE
        if self.after_break:
            self.boundary |= PARAGRAPH_BEFORE
        self.after_break = True


def _inside(node: Any, mode: int, splits: int | None, bits: int) -> int:
    """Returns the mode inside an element: that around it, the bits of its tag, and what its attributes say of who sees
    the text and where an anchor leads."""
    if bits & LINKED and all(node.get(key) is None for key in LEADS):  # the target of a link, not a link
        bits ^= LINKED
    if (style := node.get("style")) is not None:
        added, removed, is_hidden = bits_of_style(style)
        if node.tag != "body":  # its parts have sizes and colours of their own
            mode = mode & ~removed | added
    else:
        is_hidden = node.get("hidden") is not None
        if mode & FAINT and (node.get("class") is not None or node.get("color") is not None):
            mode ^= FAINT
    if is_hidden and splits is None and node.get("id") is None and node.get("class") is None:
        mode |= UNSEEN  # no script can find a part of a line without a name
    return mode | bits


def _past(node: Any, remaining: Iterator[Any]) -> str | None:
    """Moves past everything inside an element. Returns the text after it."""
    for _ in node.iterdescendants():
        next(remaining)
    text: str | None = node.tail
    return text


def _in_order(root: Any) -> list[Any]:
    """Returns all elements in document order, without those that belong in a head, and the end.

    HTML5 allows <head> and <body> to be omitted. libxml2, which knows neither main nor article, then makes them
    children of the head.
    """
    nodes = list(root.iter())
    for head in root.iterchildren("head"):
        first = nodes.index(head) + 1
        end = first + sum(1 for _ in head.iterdescendants())
        nodes[first:end] = [node for child in head if child.tag not in HEAD_TAGS for node in child.iter()]
    nodes.append(_END)
    return nodes
