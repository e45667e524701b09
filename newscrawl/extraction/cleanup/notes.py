"""Finds what newsrooms write around the text of an article: notes, pointers to other articles, numbers of pictures,
what follows the end, and the author's address.

None of these filters costs more than .001 of F1 on a news corpus.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from newscrawl.extraction.cleanup.cues import (
    CUE_CHARACTERS,
    fold,
    is_continuation,
    is_end,
    is_end_label,
    is_note,
    may_be_note,
    names_advert,
)
from newscrawl.extraction.cleanup.draft import Draft, inside_of
from newscrawl.extraction.cleanup.restore import ends_sentence
from newscrawl.extraction.cleanup.within import LINK_ONLY, LINK_ONLY_WORDS, WHOLE_TAGS
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import HEADING, LIST_ITEM

NOTE_WORDS: Final = 40
"""Longer blocks that start like a note are paragraphs."""
COPYRIGHT_SIGNS: Final = ("©", "(c)", "(C)", "Copyright ", "COPYRIGHT ")
"""The beginnings of notes on rights."""
MIN_SHARE_BEFORE_END: Final = 0.7
"""Share of the text that must be above a cue for it to be the end of the text. Earlier cues head boxes: accepting those
costs .015 of F1 on naeb."""
MIN_WORDS_BEFORE_END: Final = 60
"""The limit of Boilerpipe's IgnoreBlocksAfterContentFilter."""
MIN_TEASERS: Final = 3
"""The least lines with a link between paragraphs that are teasers by their number."""
LABEL_WORDS: Final = 4
"""The most words of the label of such a line."""
CONTACT_WORDS: Final = 45
MIN_CAPITALS: Final = 4
"""Characters of a label in capitals. Shorter ones are initials, of speakers in an interview."""
LINKED: Final = 0.9
"""Share of the characters after a label that are a link. With less, it is a sentence with a link."""
COUNTER_WORDS: Final = 3
MIN_COUNTERS: Final = 3
"""The least counters with one total that are those of pictures. Fewer are results."""

_HEADING_NAME: Final = re.compile("h[1-6]")
_COUNTER: Final = re.compile(r"\d{1,3}\s?(?:[/／|]|[^\W\d_]{1,4})\s?(\d{1,3})")
_DASHES: Final = "—–-"
_POSTER: Final = "(@"
_ADDRESS: Final = re.compile(r"\w@\w+\.\w")
_LABELLED: Final = re.compile(r"[\[(]?([^\s:：|]++(?:\s[^\s:：|]++){0,3}+)\s?[:：|]\s?(?=\S)")
"""One to four words, then a colon or a bar, then more."""


def notes(text: Draft) -> Collection[int]:
    """Finds print and agency notes, pointers to other articles, marks of adverts, and boxes whose heading is such a
    note ("Subscribe to continue reading"), in any language."""
    page, runs = text.page, text.runs
    found = {i for i in runs if (run := page.runs[i]).words <= NOTE_WORDS and _is_note(run)}
    short = [i for i in runs if i not in found and len(page.runs[i].text) < CUE_CHARACTERS]
    if names_advert(fold("\n".join([page.runs[i].text for i in short]))):
        found.update(i for i in short if is_continuation(fold(page.runs[i].text)))
    return found.union(inside_of(page, runs, _boxes_with_note(text)))


def teasers(text: Draft) -> Collection[int]:
    """Finds the lines between paragraphs that are only a link to another page of the site, with or without a label: at
    least three, each alone between two others. Several in a row are a list of the text, and a linked sentence is a part
    of it."""
    page, runs = text.page, text.runs
    found = [
        place for place, index in enumerate(runs) if page.runs[index].linked_words and _is_teaser(page.runs[index])
    ]
    places = {*found}
    alone = [p for p in found if p and p - 1 not in places and p + 1 not in places]
    if len(alone) < MIN_TEASERS:
        return ()
    targets = {link.element: link.href for link in page.links}
    inside = [runs[p] for p in alone if _leads_inside(page, runs[p], targets)]
    return inside if len(inside) >= MIN_TEASERS else ()


def _is_teaser(run: TextRun) -> bool:
    if run.flags & (HEADING | LIST_ITEM) or run.words > NOTE_WORDS or ends_sentence(run.text):
        return False
    label = run.words - run.linked_words
    is_labelled = 0 < label <= LABEL_WORDS and _LABELLED.match(run.text) is not None
    return run.linked_words >= LINK_ONLY_WORDS and (is_labelled or run.link_density >= LINK_ONLY)


def _leads_inside(page: Page, index: int, targets: Mapping[int, str]) -> bool:
    """Returns whether the links of a run lead to other pages of its site."""
    element, following = page.runs[index].element, index + 1
    end = page.runs[following].element if following < len(page.runs) else len(page.elements)
    hrefs = [targets[e] for e in range(element, max(element, end) + 1) if e in targets][:MIN_TEASERS]
    host = urlsplit(page.url).hostname if page.url else None
    return bool(hrefs) and all(not h.startswith("#") and _host_of(h) in {None, host} for h in hrefs)


def _host_of(href: str) -> str | None:
    try:
        return urlsplit(href).hostname
    except ValueError:
        return ""


def _boxes_with_note(text: Draft) -> Iterator[tuple[int, int]]:
    """Yields the elements that begin with a heading that is a note and are no parts of the page, each as its number and
    the first element after it."""
    page, elements, runs = text.page, text.page.elements, text.runs
    for index in range(runs[0], runs[-1]) if runs else ():
        run = page.runs[index]
        if run.flags & HEADING and run.words <= NOTE_WORDS and _begins_as_note(run):
            box = elements.parent[_heading_of(page, run.element)]
            if box != NO_PARENT and elements.tag[box] not in WHOLE_TAGS and page.runs[index - 1].element < box:
                yield box, elements.end_of(box)


def _heading_of(page: Page, element: int) -> int:
    """Returns the heading at or above an element of its text."""
    elements = page.elements
    while not _HEADING_NAME.fullmatch(elements.name(element)) and elements.parent[element] != NO_PARENT:
        element = elements.parent[element]
    return element


def after_the_end(text: Draft) -> Collection[int]:
    """Finds what follows a run which says that the article is over, and such runs in the middle of it."""
    page_runs = text.page.runs
    ends = {i for i in text.runs if is_end_label(page_runs[i].text)}
    characters = words = 0
    for place, index in enumerate(text.runs if ends else ()):
        run = page_runs[index]
        if index not in ends:
            characters += len(run.text)
            words += run.words
        elif words >= MIN_WORDS_BEFORE_END and characters >= MIN_SHARE_BEFORE_END * text.characters:
            return ends.union(text.runs[place:])
    return ends


def contacts(text: Draft) -> Collection[int]:
    """Finds the last short runs that contain an e-mail address, the author's or the newsroom's."""
    page_runs, runs = text.page.runs, text.runs
    end = len(runs)
    while end:
        run = page_runs[runs[end - 1]]
        if run.words > CONTACT_WORDS or "@" not in run.text or not _ADDRESS.search(run.text):
            break
        end -= 1
    return runs[end:]


def counters(text: Draft) -> Collection[int]:
    """Finds the numbers of pictures ("3 / 12", "3 of 12"): several with the same total."""
    totals: dict[str, list[int]] = {}
    for i in text.runs:
        run = text.page.runs[i]
        if run.words <= COUNTER_WORDS and run.text[0].isdigit() and (match := _COUNTER.fullmatch(run.text)):
            totals.setdefault(match[1], []).append(i)
    return [i for found in totals.values() if len(found) >= MIN_COUNTERS for i in found]


def _is_note(run: TextRun) -> bool:
    if run.text.startswith(COPYRIGHT_SIGNS) or (run.linked_words and (_names_poster(run) or _points_elsewhere(run))):
        return True
    return _begins_as_note(run)


def _begins_as_note(run: TextRun) -> bool:
    return may_be_note(run.text) and is_note(fold(run.text))


def _names_poster(run: TextRun) -> bool:
    """Returns whether a run says who wrote the quoted post above it, and when: `— Ann Bee (@annbee) May 1, 2023`."""
    return run.text[0] in _DASHES and _POSTER in run.text


def _points_elsewhere(run: TextRun) -> bool:
    """Returns whether a run is a label with a link to another page: `Related: The old bridge`, `SEE ALSO: The plan`.

    The label is one that heads what is below articles, or it is in capitals and all the rest is the link.
    """
    if run.flags & HEADING:
        return False
    match = _LABELLED.match(run.text)
    if match is None:
        return False
    label = match[1]
    rest = len(run.text) - match.end()
    if label.isupper() and len(label) >= MIN_CAPITALS and run.link_characters >= LINKED * rest:
        return True
    return is_end(fold(label))
