"""The values that newscrawl's packages pass to each other, and what is decided of addresses, texts and times alone.

All datetimes are aware and in UTC. All classes are frozen: each step makes a new value from an earlier one. Import the
names from this package.

In here: `fetches` has what leads to a page, the page as the server sent it, and what became of it; `articles` the
article made from it, `flat` its metadata as columns; `walls` names the bot wall that answered in place of a site.
`identity` says which addresses and texts are the same, `written_dates` reads dates as people write them, `times` says
which times are credible, `address_policy` which network addresses are allowed. `content_encoding` opens compressed
bodies. `jsonable` writes values as JSON, `wording` numbers with their nouns, `word_lists` reads lists of phrases. Not
in here: what only one package uses, and what is stored of these values (`newscrawl.storage.records`). Start with
`articles`.

`newscrawl.extraction` and everything above it may import this package, and `newscrawl.page` all of it but `identity`.
"""

from __future__ import annotations

from newscrawl.model.articles import (
    AFTER_DOWNLOAD,
    OTHER_KINDS,
    PARAGRAPH_GAP,
    SPEAKS_OF_ERROR,
    Article,
    Attempt,
    Dated,
    Described,
    Extraction,
    HintMatch,
    Image,
    LiveEntry,
    Metadata,
    Precision,
    PublishedDate,
    RefusedDate,
    Selection,
    Signature,
    Structure,
    TextLink,
    Verdict,
)
from newscrawl.model.fetches import (
    HARMFUL,
    OBJECT_STORE,
    SOURCE_DIED,
    SOURCE_MEMORY,
    SOURCE_TIMEOUT,
    TOO_COSTLY,
    UNANSWERED,
    Candidate,
    Capture,
    Discovery,
    Doubt,
    Exchange,
    Failure,
    FailureGroup,
    ProcessedPage,
    RawPage,
    SourcePlan,
    SourceType,
    SourceVisit,
    Spot,
    UsageRights,
    group_of,
    is_object_store,
    is_unanswered,
)

__all__ = [
    "AFTER_DOWNLOAD",
    "HARMFUL",
    "OBJECT_STORE",
    "OTHER_KINDS",
    "PARAGRAPH_GAP",
    "SOURCE_DIED",
    "SOURCE_MEMORY",
    "SOURCE_TIMEOUT",
    "SPEAKS_OF_ERROR",
    "TOO_COSTLY",
    "UNANSWERED",
    "Article",
    "Attempt",
    "Candidate",
    "Capture",
    "Dated",
    "Described",
    "Discovery",
    "Doubt",
    "Exchange",
    "Extraction",
    "Failure",
    "FailureGroup",
    "HintMatch",
    "Image",
    "LiveEntry",
    "Metadata",
    "Precision",
    "ProcessedPage",
    "PublishedDate",
    "RawPage",
    "RefusedDate",
    "Selection",
    "Signature",
    "SourcePlan",
    "SourceType",
    "SourceVisit",
    "Spot",
    "Structure",
    "TextLink",
    "UsageRights",
    "Verdict",
    "group_of",
    "is_object_store",
    "is_unanswered",
]
