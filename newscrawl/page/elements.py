"""The tree of a page: parent, tag and attributes of each element, in lists."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, overload

from newscrawl.page.tags import TAG_CODE, TAG_NAMES

NO_PARENT = -1

_ANCHOR = TAG_NAMES.index("a")
_DIALOG = TAG_NAMES.index("dialog")
_CLASS_CODE = len(' class=""')
_ID_CODE = len(' id=""')
_HREF_CODE = len(' href=""')

T = TypeVar("T")
Some: TypeAlias = Callable[[int, tuple[str, ...]], tuple[str | None, ...] | None]
"""Values of some attributes of an element, None if it has none at all."""


class Deferred(Sequence[T], Generic[T]):
    """A sequence that is computed on first use, for data that most readers of a page do not need."""

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[..., tuple[T, ...]]) -> None:
        self._make: Callable[..., tuple[T, ...]] | None = make
        self._items: tuple[T, ...] = ()

    @property
    def make(self) -> Callable[..., tuple[T, ...]] | None:
        """The function that computes the items, or some of them for a caller that knows its parameters; None after they
        were computed."""
        return self._make

    def _made(self) -> tuple[T, ...]:
        make = self._make  # read once: another thread may be in this method too
        if make is not None:
            self._items = make()
            self._make = None  # releases the parser's tree
        return self._items

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._made()[index]

    def __len__(self) -> int:
        return len(self._made())

    def __iter__(self) -> Iterator[T]:
        return iter(self._made())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Deferred):
            return self._made() == other._made()
        return self._made() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._made())

    def __repr__(self) -> str:
        return repr(self._made())

    def __reduce__(self) -> tuple[type[tuple[T, ...]], tuple[tuple[T, ...]]]:
        return tuple, (self._made(),)


class ElementTexts:
    """Texts of elements, white space collapsed and cut to `head.MARKED_CHARACTERS`. Each call costs at most one pass
    over the element, so callers limit the number of calls. A copy made by pickle has only the texts that were read
    before; others are "".
    """

    __slots__ = ("_known", "_read")

    def __init__(self, read: Callable[[int], str] | None = None, known: dict[int, str] | None = None) -> None:
        self._read = read
        self._known = known or {}

    def __call__(self, element: int) -> str:
        if element not in self._known and self._read is not None:
            self._known[element] = self._read(element)
        return self._known.get(element, "")

    def __reduce__(self) -> tuple[type[ElementTexts], tuple[None, dict[int, str]]]:
        return ElementTexts, (None, self._known)


NO_TEXTS: Final = ElementTexts()


class ParsedTree:
    """The parser's own tree of a page, for paths that the lists of `Elements` do not answer. `root` is lxml's element,
    None for a page without one. A copy made by pickle has no tree.
    """

    __slots__ = ("_before", "_number", "root")

    def __init__(
        self,
        root: Any = None,
        number: Callable[[list[Any]], list[int]] | None = None,
        before: Callable[[int], str] | None = None,
    ) -> None:
        self.root = root
        self._number = number
        self._before = before

    def text_before(self, element: int) -> str:
        """Returns the text directly before an element of `Elements`, up to the next tag; "" without a tree."""
        return self._before(element) if self._before is not None else ""

    def numbers(self, nodes: list[Any]) -> list[int]:
        """Returns the index in `Elements` of each of these elements of lxml's; NO_PARENT for one that the walk left
        out, such as a script. Fastest in document order."""
        return self._number(nodes) if self._number is not None else [NO_PARENT] * len(nodes)

    def __reduce__(self) -> tuple[type[ParsedTree], tuple[()]]:
        return ParsedTree, ()


NO_TREE: Final = ParsedTree()


class Attributes(Sequence[Mapping[str, str]]):
    """Every element's attributes, read from the parser's node on first use.

    Most algorithms need those of a few elements; reading all takes a third of the time of parsing the page.
    """

    __slots__ = ("_known", "_nodes", "_read", "_some")

    def __init__(
        self, nodes: Sequence[Any], read: Callable[[Any], Mapping[str, str]], some: Some | None = None
    ) -> None:
        """`read` reads all attributes of a node, `some` those with given names."""
        self._nodes = nodes
        self._read = read
        self._some = some
        self._known: list[Mapping[str, str] | None] = [None] * len(nodes)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> list[Mapping[str, str]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, str] | list[Mapping[str, str]]:
        if isinstance(index, slice):
            return self.all()[index]
        known = self._known[index]
        if known is None:
            known = self._known[index] = self._read(self._nodes[index])
        return known

    def __setitem__(self, index: int, attributes: Mapping[str, str]) -> None:
        self._known[index] = attributes

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[Mapping[str, str]]:
        return iter(self.all())

    def __eq__(self, other: object) -> bool:
        return self.all() == list(other) if isinstance(other, Attributes | list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.all())

    def __reduce__(self) -> tuple[type[list[Mapping[str, str]]], tuple[list[Mapping[str, str]]]]:
        return list, (self.all(),)

    def values(self, index: int, keys: tuple[str, ...]) -> tuple[str | None, ...] | None:
        """Returns the values of these attributes of an element; None if it has no attributes at all."""
        some = self._some
        if some is not None and self._nodes:
            return some(index, keys)
        return values_among(self[index], keys)

    def reader(self) -> Some:
        """Returns the function behind `values`, as long as the parser's nodes exist."""
        return self._some if self._some is not None and self._nodes else self.values

    def all(self) -> list[Mapping[str, str]]:
        """Returns the attributes of all elements. After this call the parser's nodes are no longer needed."""
        nodes = self._nodes
        if nodes:
            read = self._read
            self._known = [
                read(node) if known is None else known for node, known in zip(nodes, self._known, strict=True)
            ]
            self._nodes = ()
        return self._known  # type: ignore[return-value]


def values_among(attributes: Mapping[str, str], keys: tuple[str, ...]) -> tuple[str | None, ...] | None:
    """Returns the values of the attributes of these names; None if there are no attributes at all."""
    return tuple([attributes.get(key) for key in keys]) if attributes else None


def stands_inside(element: int, parent: Sequence[int], marked: Callable[[int], bool], known: dict[int, bool]) -> bool:
    """Returns whether an element or one of its ancestors is marked.

    `known` has the answers so far, first that of NO_PARENT, and new ones are added to it. Every element is visited
    once, so the time is linear in the number of queried elements and their ancestors.
    """
    climbed: list[int] = []
    while element not in known:
        climbed.append(element)
        if marked(element):
            known[element] = True
        else:
            element = parent[element]
    answer = known[element]
    for below in climbed:
        known[below] = answer
    return answer


class Predicates(dict[Hashable, Callable[[int], bool]]):
    """Predicates on the elements of a page that keep their answers. A copy made by pickle is empty."""

    def __reduce__(self) -> tuple[type[Predicates], tuple[()]]:
        return Predicates, ()


@dataclass(slots=True)
class Elements:
    """All elements in document order, as parallel lists: element `i` is `parent[i]`, `tag[i]`, `attributes[i]`.

    A parent has a smaller index than its children, and the descendants of an element directly follow it.
    """

    parent: list[int] = field(default_factory=list)
    tag: list[int] = field(default_factory=list)
    attributes: Sequence[Mapping[str, str]] = field(default_factory=list)
    _tag_bytes: bytes = field(default=b"", init=False, repr=False, compare=False)
    _code: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    _hidden: dict[int, bool] = field(default_factory=lambda: {NO_PARENT: False}, init=False, repr=False, compare=False)
    predicates: Predicates = field(default_factory=Predicates, init=False, repr=False, compare=False)
    """What is known about the names of elements (`newscrawl.extraction.element_predicates`)."""

    def __len__(self) -> int:
        return len(self.parent)

    def name(self, element: int) -> str:
        """Returns the tag name; "?" for one that is not in `tags.TAG_NAMES`."""
        return TAG_NAMES[self.tag[element]]

    def first_of(self, tag: int, start: int = 0) -> int:
        """Returns the first element with this tag number from `start` on; -1 if there is none."""
        if not self._tag_bytes:
            self._tag_bytes = bytes(self.tag)  # bytes are searched much faster than a list
        return self._tag_bytes.find(tag, start)

    def ancestors(self, element: int) -> Iterator[int]:
        """Yields the element's ancestors, nearest first, without the element itself."""
        parent = self.parent
        element = parent[element]
        while element != NO_PARENT:
            yield element
            element = parent[element]

    def end_of(self, element: int, limit: int | None = None) -> int:
        """Returns the first element after `element` that is not inside it, or `limit` if that comes first."""
        parent = self.parent
        last = len(parent) if limit is None else min(limit, len(parent))
        end = element + 1
        while end < last and parent[end] >= element:
            end += 1
        return end

    def names_of(self, element: int) -> str:
        """Returns the names an author gave the element: id, class, role and itemprop, lower-case, separated by
        blanks."""
        attributes = self.attributes[element]
        return " ".join(attributes[key] for key in ("id", "class", "role", "itemprop") if key in attributes).lower()

    def values(self, element: int, keys: tuple[str, ...]) -> tuple[str | None, ...] | None:
        """Returns the values of some of an element's attributes; None if it has none at all."""
        attributes = self.attributes
        if isinstance(attributes, Attributes):
            return attributes.values(element, keys)
        return values_among(attributes[element], keys)

    def reader(self) -> Some:
        """Returns the fastest function for `values`, for callers that query many elements."""
        attributes = self.attributes
        return attributes.reader() if isinstance(attributes, Attributes) else self.values

    def path(self, element: int) -> str:
        """Returns the tag names from the root down, for people: `html/body/div/p`."""
        names = [self.name(element), *(self.name(a) for a in self.ancestors(element))]
        return "/".join(reversed(names))

    def is_hidden(self, element: int) -> bool:
        """Returns whether the element or one around it has the hidden attribute or an inline display:none, or is a
        closed dialog."""
        return stands_inside(element, self.parent, self._is_undisplayed, self._hidden)

    def _is_undisplayed(self, element: int) -> bool:
        hidden, style, is_open = self.values(element, ("hidden", "style", "open")) or (None, None, None)
        if hidden is not None or (self.tag[element] == _DIALOG and is_open is None):
            return True
        return style is not None and "none" in style and "display:none" in style.replace(" ", "").lower()

    def code(self, first: int, end: int) -> int:
        """Returns the characters of the tags of the elements from `first` up to `end` (`TextRun.code`)."""
        if not self._code:
            self._code = list(accumulate(map(_code_of, self.tag, self.attributes), initial=0))
        return self._code[end] - self._code[first]


class CodeOfElements(NamedTuple):
    """Computes `TextRun.code`: the characters of the tags of the elements from `first` up to `end`, and `more`
    characters of tags that belong to no element.

    `inner` is the innermost element around the start of the run's text.
    """

    elements: Elements
    first: int
    end: int
    more: int
    inner: int

    @property
    def hidden(self) -> bool:
        return self.elements.is_hidden(self.inner)

    def __int__(self) -> int:
        return self.elements.code(self.first, self.end) + self.more

    def __eq__(self, other: object) -> bool:
        return int(self) == int(other) if isinstance(other, int | CodeOfElements) else NotImplemented

    def __hash__(self) -> int:
        return hash(int(self))

    def __repr__(self) -> str:
        return str(int(self))


def _code_of(tag: int, attributes: Mapping[str, str]) -> int:
    code = TAG_CODE[tag]
    if attributes:
        get = attributes.get
        if names := get("class"):
            code += len(names) + _CLASS_CODE
        if name := get("id"):
            code += len(name) + _ID_CODE
        if tag == _ANCHOR and (href := get("href")):
            code += len(href) + _HREF_CODE
    return code
