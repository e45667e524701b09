"""The values that newscrawl's packages pass to each other.

All datetimes are aware and in UTC. All classes are frozen: each step makes a new value from an earlier one. Import the
names from this package.

In here: `sources` has what leads to a page; `fetches` the page as the server sent it; `articles` the article made from
it, `flat` its metadata as columns; `outcomes` says what became of a page; `walls` names the bot wall that answered in
place of a site. Not in here: what only one package uses, and what is stored of these values
(`newscrawl.storage.records`). Start with `articles`.

Every package may import this one.
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
from newscrawl.model.fetches import OBJECT_STORE, Capture, Exchange, RawPage, Spot, is_object_store
from newscrawl.model.outcomes import (
    UNANSWERED,
    Doubt,
    Failure,
    FailureGroup,
    ProcessedPage,
    UsageRights,
    group_of,
    is_unanswered,
)
from newscrawl.model.sources import (
    HARMFUL,
    SOURCE_DIED,
    SOURCE_MEMORY,
    SOURCE_TIMEOUT,
    TOO_COSTLY,
    Candidate,
    Discovery,
    SourcePlan,
    SourceType,
    SourceVisit,
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
