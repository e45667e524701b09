"""The tree of a page as numbers, after the tree itself is gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from newscrawl.page.tags import TAG_NAMES

NO_PARENT = -1


@dataclass(slots=True)
class Elements:
    """All elements in document order, as parallel lists: element `i` is `parent[i]`, `tag[i]`, `attributes[i]`.

    A parent always has a smaller index than its children, and the descendants of an element follow it without a gap.
    """

    parent: list[int] = field(default_factory=list)
    tag: list[int] = field(default_factory=list)
    attributes: list[Mapping[str, str]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.parent)

    def name(self, element: int) -> str:
        """Tag name, "?" for one that is not in `tags.TAG_NAMES`."""
        return TAG_NAMES[self.tag[element]]

    def ancestors(self, element: int) -> Iterator[int]:
        """The element's ancestors, nearest first, the element itself left out."""
        parent = self.parent
        element = parent[element]
        while element != NO_PARENT:
            yield element
            element = parent[element]

    def names_of(self, element: int) -> str:
        """The names an author gave the element: id, class, role and itemprop, lower-case, separated by blanks."""
        attributes = self.attributes[element]
        return " ".join(attributes[key] for key in ("id", "class", "role", "itemprop") if key in attributes).lower()

    def path(self, element: int) -> str:
        """Tag names from the root down, for people: `html/body/div/p`."""
        names = [self.name(element), *(self.name(a) for a in self.ancestors(element))]
        return "/".join(reversed(names))
