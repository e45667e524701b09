"""The last steps of a chain's text: filters in the order in which they are run. `FINISH` leaves out headline, captions,
notes and what follows the article's end. `Chain.filters` chooses the tuples of an extractor.

The share beside a filter is what it must leave of the text; with less it changes nothing. A filter without a share has
none, or a limit of its own. `ONE_ARTICLE` goes before
`FINISH` for extractors that judge blocks one by one, such as jusText.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from newscrawl.extraction.cleanup.around import captions, closing_labels, opening_lines, pointers, remarks
from newscrawl.extraction.cleanup.copies import (
    MIN_ARTICLE,
    above_headline,
    article_beside,
    below_other_h1,
    below_other_h1_of_no_part,
    comments,
    labelled_adverts,
    next_article,
    second_copy,
)
from newscrawl.extraction.cleanup.draft import (
    ENOUGH_CHARACTERS,
    ENOUGH_OR_HALF,
    ENOUGH_OR_QUARTER,
    HALF,
    SOMETHING,
    Filter,
    run_filters,
    share,
)
from newscrawl.extraction.cleanup.notes import after_the_end, contacts, counters, notes, teasers
from newscrawl.extraction.cleanup.restore import missing_parts, parts_of_sentences
from newscrawl.extraction.cleanup.within import (
    asides,
    boxes,
    consent,
    headline,
    hidden,
    offer,
    sign_ups,
    source,
    undisplayed,
)
from newscrawl.page import Page

MIN_SHARE_BELOW_HEADLINE: Final = 0.8
"""Share of the text that must be below the headline, or the text above it is no label: some pages show their headline
in the middle of the text. At .5 one page lost its start, at .95 others keep labels
(docs/design.md, "best")."""
MIN_SHARE_SHOWN: Final = 0.25
"""The least share of the text that is shown. With less, scripts show the rest, a slide or a section at a time."""

NO_CONSENT: Final = Filter(consent, ENOUGH_OR_HALF)
NO_BOXES: Final = Filter(boxes, HALF)
AS_DISPLAYED: Final = Filter(undisplayed, ENOUGH_OR_HALF)
DISPLAYED: Final = (Filter(source), AS_DISPLAYED)
SURROUNDINGS: Final = (
    Filter(pointers, HALF),
    Filter(remarks),
    Filter(captions),
    Filter(opening_lines),
    Filter(closing_labels),
)
FINISH: Final = (
    *DISPLAYED,
    Filter(second_copy, SOMETHING),
    Filter(next_article),
    Filter(article_beside, share(1, MIN_ARTICLE)),
    Filter(comments, ENOUGH_OR_QUARTER),
    Filter(labelled_adverts),
    *SURROUNDINGS,
    Filter(missing_parts, adds=True, then=(*DISPLAYED, *SURROUNDINGS)),  # captions, for example, are restored, too
    Filter(sign_ups, HALF),
    Filter(headline, SOMETHING),
    Filter(asides, HALF),
    Filter(counters),
    Filter(offer),
    Filter(notes, HALF),
    Filter(teasers, HALF),
    Filter(after_the_end, HALF),
    Filter(contacts, HALF),
    Filter(parts_of_sentences, adds=True),
)
ONE_ARTICLE: Final = (
    NO_CONSENT,
    Filter(hidden, lambda whole: max(ENOUGH_CHARACTERS, MIN_SHARE_SHOWN * whole)),
    NO_BOXES,
    Filter(above_headline, share(MIN_SHARE_BELOW_HEADLINE)),
)
OF_BLOCKS: Final = (*ONE_ARTICLE, Filter(below_other_h1), *FINISH)
"""For an extractor that judges blocks one by one."""
OF_PARTS: Final = (*ONE_ARTICLE, Filter(below_other_h1_of_no_part), *FINISH)
"""For an extractor that weighs all blocks of a page and chooses sub-heads itself."""


def finish(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns those of `runs` that are the article's own text, in linear time."""
    return run_filters(page, runs, FINISH)
