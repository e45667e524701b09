"""What each HTML tag means to the algorithms that read runs: one table, looked up once per element.

Boilerpipe splits text at every tag but the inline ones below (its default tag action map); jusText splits at its
paragraph tags only (`PARAGRAPH_TAGS` of the package 3.0.2). Both ignore the content of some elements.
"""

from __future__ import annotations

from typing import Final

BOILERPIPE_INLINE: Final = frozenset("a strike u b i em strong span sup code tt sub var abbr acronym font".split())
"""Tags at which Boilerpipe does not start a new text block."""

BOILERPIPE_NO_LEVEL: Final = BOILERPIPE_INLINE - {"a"}
"""Tags that do not count in Boilerpipe's tag level."""

BOILERPIPE_IGNORED: Final = frozenset("option object embed applet noscript".split())
"""Tags whose content Boilerpipe skips, besides `SKIPPED`."""

JUSTEXT_PARAGRAPH: Final = frozenset(
    "body blockquote caption center col colgroup dd div dl dt fieldset form legend optgroup option p pre table td "
    "textarea tfoot th thead tr ul li h1 h2 h3 h4 h5 h6".split()
)
"""Tags at which jusText starts a new paragraph."""

JUSTEXT_IGNORED: Final = frozenset("button input select textarea applet embed object iframe layer param".split())
"""Form controls and embedded objects, which jusText's preprocessing removes."""

SKIPPED: Final = frozenset("script style template head".split())
"""Elements that no algorithm reads; script and head are read for hints only."""

HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())
TOP_HEADINGS: Final = frozenset("h1 h2 h3".split())

BLOCKS: Final = JUSTEXT_PARAGRAPH | frozenset(
    "address article aside details dialog figcaption figure footer header hgroup hr main nav ol section summary tbody "
    "video audio iframe form".split()
)
"""Tags that a browser puts on lines of their own: between two runs without one, the text flows on."""

TAG_NAMES: Final = (
    "?",
    *sorted(
        BLOCKS
        | BOILERPIPE_INLINE
        | BOILERPIPE_IGNORED
        | JUSTEXT_IGNORED
        | SKIPPED
        | frozenset(
            "html img br time picture source svg path g use canvas q cite small big mark del ins dfn kbd samp s label "
            "meta link title base track map area nobr wbr data output progress meter ruby rt rp bdi bdo noframes frame "
            "frameset math center menu slot search".split()
        )
    ),
)
"""Known tags; a tag's number is its place here, 0 stands for any other."""

TAG_NUMBERS: Final = {name: number for number, name in enumerate(TAG_NAMES)}
