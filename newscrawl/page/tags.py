"""The table of HTML tags for the algorithms that read runs; it is read once for each element.

Boilerpipe splits text at every tag except the inline ones below (its default tag action map); jusText splits at its
paragraph tags only (`PARAGRAPH_TAGS` of the package 3.0.2). Both ignore the content of some elements.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from newscrawl.page import run

BOILERPIPE_INLINE: Final = frozenset("a strike u b i em strong span sup code tt sub var abbr acronym font".split())
"""Tags at which Boilerpipe does not start a new text block."""

READINGS: Final = frozenset("rt rp rtc".split())
"""Elements with the readings of East Asian words, and the brackets around them."""
WITHIN_WORDS: Final = READINGS | frozenset("wbr ruby rb".split())
"""Tags of HTML 5 inside words: places where a line may break, and words with their readings. Boilerpipe, which is
older, splits at them, so that a paragraph with some of them is a row of short pieces."""
INLINE: Final = BOILERPIPE_INLINE | WITHIN_WORDS
"""Tags at which no run ends."""

BOILERPIPE_NO_LEVEL: Final = INLINE - {"a"}
"""Tags that do not count in Boilerpipe's tag level."""

BOILERPIPE_IGNORED: Final = frozenset("option object embed applet noscript".split())
"""Tags whose content Boilerpipe skips, besides `SKIPPED`."""

JUSTEXT_PARAGRAPH: Final = frozenset(
    (
        "body blockquote caption center col colgroup dd div dl dt fieldset legend p pre table td tfoot th thead tr ul "
        "li h1 h2 h3 h4 h5 h6"
    ).split()
)
"""Tags at which jusText starts a new paragraph: those of its list that its preprocessing leaves in the tree (it drops
the form element and removes form controls)."""

JUSTEXT_IGNORED: Final = frozenset("button input select textarea applet".split())
"""Form controls and applets, which jusText's preprocessing removes; it keeps the text of other embedded objects."""

SKIPPED: Final = READINGS | frozenset("script style template head".split())
"""Elements that no algorithm reads; script and head are read for hints only."""

HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())
TOP_HEADINGS: Final = frozenset(["h1", "h2", "h3"])

BLOCKS: Final = JUSTEXT_PARAGRAPH | frozenset(
    (
        "address article aside details dialog figcaption figure footer header hgroup hr main nav ol section "
        "summary tbody video audio iframe form optgroup option textarea"
    ).split()
)
"""Tags that a browser shows on separate lines. Between two runs without one, the text continues on the same line."""

TAG_NAMES: Final = (
    "?",
    *sorted(
        BLOCKS
        | INLINE
        | BOILERPIPE_IGNORED
        | JUSTEXT_IGNORED
        | SKIPPED
        | frozenset(
            (
                "html img br time picture source svg path g use canvas q cite small big mark del ins dfn kbd samp s "
                "label meta link base track map area nobr data output progress meter datalist annotation bdi bdo "
                "noframes frame frameset math center menu slot search title"
            ).split()
        )
    ),
)
"""The known tags. The number of a tag is its position here; 0 is any other tag."""


class Tag(NamedTuple):
    """The effect of a tag's start or end on the runs and on the text inside it."""

    number: int
    """Place in `TAG_NAMES`."""
    splits: bool
    """Ends the run before it and starts a new one (every tag that is not `INLINE`)."""
    boundary: int
    """Flags for the run that follows its start or end."""
    level: int
    """What it adds to Boilerpipe's tag level."""
    inherited: int
    """Flags of every run inside it."""
    kind: int
    """`ANCHOR`, `BREAK`, `HEADLINE` (h1, time), `DECLARES` (meta, link, base), `TITLE`, `ROOT`, `SKIPS`; or 0."""
    code: int
    """Characters of its start and end tag without attributes."""


CONTENT, ANCHOR, BREAK, DECLARES, ROOT, SKIPS, HEADLINE, TITLE = range(8)

_KINDS: Final = {
    "a": ANCHOR,
    "br": BREAK,
    "h1": HEADLINE,
    "time": HEADLINE,
    "meta": DECLARES,
    "link": DECLARES,
    "base": DECLARES,
    "title": TITLE,
    "html": ROOT,
}


def _tag(name: str) -> Tag:
    boundary = run.BLOCK_BEFORE if name in BLOCKS else 0
    if name in JUSTEXT_PARAGRAPH:
        boundary |= run.PARAGRAPH_BEFORE
    inherited = run.HEADING if name in HEADINGS else 0
    inherited |= run.TOP_HEADING if name in TOP_HEADINGS else 0
    inherited |= run.LIST_ITEM if name == "li" else 0
    inherited |= run.IGNORED_BY_BOILERPIPE if name in BOILERPIPE_IGNORED else 0
    inherited |= run.IGNORED_BY_JUSTEXT if name in JUSTEXT_IGNORED else 0
    kind = SKIPS if name in SKIPPED else _KINDS.get(name, CONTENT)
    return Tag(
        number=TAG_NAMES.index(name),
        splits=name not in INLINE,
        boundary=boundary,
        level=int(name not in BOILERPIPE_NO_LEVEL),
        inherited=inherited,
        kind=kind,
        code=2 * len(name) + len("<></>"),
    )


TAGS: Final = {name: _tag(name) for name in TAG_NAMES}
UNKNOWN: Final = TAGS["?"]
TAG_CODE: Final = tuple(TAGS[name].code for name in TAG_NAMES)
"""`Tag.code` by a tag's number."""
