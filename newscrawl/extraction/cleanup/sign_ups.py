"""Removes boxes in which readers sign up: a field for a mail address and a few sentences around it.

Most such boxes have names for newsletters (`boxes`). This finds the others by their shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from newscrawl.extraction.cleanup.boxes import WHOLE_TAGS
from newscrawl.extraction.cleanup.leave_out import outside, unless_too_little
from newscrawl.page import Page
from newscrawl.page.tags import TAG_NAMES

MAX_WORDS: Final = 60
"""Words of such a box: an invitation, the field, and what a reader agrees to. Parts of articles have more."""
MAX_LEVELS: Final = 4
"""Elements from the field up to the box."""
MAX_FIELDS: Final = 20
"""Fields of a page that are looked at, the first ones."""

_INPUT: Final = TAG_NAMES.index("input")
_KEYS: Final = ("type", "name")
_NO_VALUES: Final = (None, None)
_TEXT_KINDS: Final = frozenset({"", "text"})


def drop_sign_ups(page: Page, runs: Sequence[int]) -> Sequence[int]:
    """Returns `runs` without those in such boxes. Linear time."""
    boxes = list(_boxes(page)) if runs else []
    if not boxes:
        return runs
    return unless_too_little(page, runs, outside(page, runs, boxes))


def _boxes(page: Page) -> Iterator[tuple[int, int]]:
    """Yields the boxes with a field for a mail address, each as its number and the first element after it."""
    for field in islice(_mail_fields(page), MAX_FIELDS):
        box: tuple[int, int] | None = None
        for element in islice(page.elements.ancestors(field), MAX_LEVELS):
            if page.elements.tag[element] in WHOLE_TAGS:
                break
            end = page.elements.end_of(element)
            inside = page.runs[page.first_run(element) : page.first_run(end)]
            if sum([run.words for run in inside]) > MAX_WORDS:
                break
            box = element, end
        if box is not None:
            yield box


def _mail_fields(page: Page) -> Iterator[int]:
    """Yields the fields for a mail address: by their type, or by their name."""
    first_of, values_of = page.elements.first_of, page.elements.reader()
    element = -1
    while (element := first_of(_INPUT, element + 1)) >= 0:
        kind, name = values_of(element, _KEYS) or _NO_VALUES
        kind = (kind or "").lower()
        if kind == "email" or (kind in _TEXT_KINDS and name and "mail" in name.lower()):
            yield element
