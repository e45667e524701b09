"""An article: the text that a chain extracted from a page, and what the page states about itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, overload

Precision = Literal["year", "month", "day", "minute", "second"]
Verdict = Literal[
    "article", "live", "paywalled", "short", "listing", "product", "forum", "documentation", "service", "video",
    "gallery", "consent", "bot_wall", "soft_404", "empty",
]  # fmt: skip
"""The kind of a page. The first four are articles: complete, growing, the free part of one, shorter than usual."""
OTHER_KINDS: Final[tuple[Verdict, ...]] = (
    "listing", "product", "forum", "documentation", "service", "video", "gallery",
)  # fmt: skip
"""The kinds of pages that have a content of their own and are no articles."""
AFTER_DOWNLOAD: Final = "more than 24 hours after the download"
"""The reason for refusing a date that is more than a day after the fetch. Of the two, the time of the fetch may be the
wrong one."""
SPEAKS_OF_ERROR: Final = "speaks of an error"
"""A problem begins with this if the page is an article, but its title or its few words are those of a wall or of a
missing page."""


PARAGRAPH_GAP: Final = "\n\n"
"""What stands between the paragraphs of a text."""


@dataclass(frozen=True, slots=True)
class PublishedDate:
    """A date that a page states about itself: the time, the part of the page that states it, and its precision.

    A date without a zone is read as UTC, and `zone_stated` is False. `offset` is the offset from UTC that the page
    states, in minutes east; None if it states none, as a number of seconds since 1970.
    """

    when: datetime
    source: str
    precision: Precision
    zone_stated: bool = True
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class RefusedDate:
    """A date that a page states and that is not credible."""

    raw: str
    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of one extractor of a chain, and why it was accepted or not."""

    extractor: str
    words: int
    characters: int
    accepted: bool
    reason: str


@dataclass(frozen=True, slots=True)
class HintMatch:
    """A hint of a site (`drop div.advert`) and the number of elements of a page that it matched."""

    label: str
    number: int


@dataclass(frozen=True, slots=True)
class Selection(Sequence[int]):
    """The runs that an extractor chose, in ascending order. The other fields are what it computed for its choice; the
    confidence in the text is estimated from them (newscrawl.extraction.confidence)."""

    runs: tuple[int, ...]
    article: tuple[int, ...]
    """The runs that Boilerpipe's article recipe keeps."""
    group: tuple[int, ...] | None = None
    """The runs that the first step of `classic` keeps; None if they were not computed apart from `runs`."""
    probability: float | None = None
    """The mean probability of the runs, weighted by characters; None without a learned model."""
    expected_share: float | None = None
    """The share of the page's expected text (characters times probability) that the runs hold."""

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        return self.runs[index]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[int]:
        return iter(self.runs)  # that of Sequence calls __getitem__ for each run


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of a chain for one page. `text` is never None; `runs` are the indices of the page's runs that it
    kept."""

    text: str
    runs: tuple[int, ...]
    extractor: str
    trace: tuple[Attempt, ...]
    problems: tuple[str, ...] = ()
    selection: Selection | None = None
    """The extractor's choice before the chain finished it; None if the extractor says nothing more of it, and after
    hints of the site."""
    topic: float | None = None
    """The share of the words of headline and description in the text; None if it was not computed or is not known."""
    undisplayed: float = 0.0
    """The share of the words of the page's paragraphs that it does not display as it is written."""
    left_out: tuple[int, ...] = ()
    """Keys of the lines that were left out as boilerplate of the site (newscrawl.extraction.site_boilerplate)."""


@dataclass(frozen=True, slots=True)
class TextLink:
    """A link in a text: the number of its paragraph from 0, its first character there and its length in characters
    (code points), and its absolute address."""

    paragraph: int
    start: int
    length: int
    url: str


@dataclass(frozen=True, slots=True)
class Structure:
    """What the paragraphs of a text are, and the links in them. It is apart from the text, which stays as it is.

    `blocks` has a code for each paragraph (a piece of the text between empty lines), with blanks between them: `p`
    paragraph, `h1` to `h6` heading, `u1` to `u9` item of a list at this depth, `o1` to `o9` item of a numbered list,
    `+1` to `+9` further paragraph of the item before at this depth, `q` quotation, `t` first cell of a table, `r` first
    cell of a further row, `.` further cell, `+` further paragraph of the cell before, `c` caption, `x` preformatted. A
    number behind a cell is the number of empty cells before it.
    """

    blocks: str
    links: tuple[TextLink, ...] = ()

    def to_row(self) -> dict[str, Any]:
        """Returns the form that the database has, in which a link is a list of its values."""
        return {"blocks": self.blocks, "links": [[one.paragraph, one.start, one.length, one.url] for one in self.links]}

    @classmethod
    def of_row(cls, row: Mapping[str, Any] | None) -> Structure | None:
        """Returns the structure that `to_row` gave."""
        return None if row is None else cls(row["blocks"], tuple(TextLink(*link) for link in row["links"]))


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of an article: its address, and what the page states about it. Width and height are in pixels, those of
    the address where the page states them, else those at which the page shows it."""

    url: str
    caption: str | None = None
    credit: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class LiveEntry:
    """An entry of a live report: a part of one article with a time of its own.

    `at` is when it was published (UTC), `offset` the offset from UTC that the page states, in minutes east. `id` is the
    address or the name that the page gives the entry, which stays when the entry is edited.
    """

    at: datetime | None = None
    offset: int | None = None
    title: str | None = None
    text: str = ""
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """The statements of a page about itself. A field is None or empty if the page states nothing credible for it.

    `images`, `videos` and `audio` are those of the article (newscrawl.extraction.metadata.media), the lead image first.
    `live_entries` are those of a live report (newscrawl.extraction.metadata.live_entries), in the page's order.
    """

    title: str | None = None
    authors: tuple[str, ...] = ()
    published: PublishedDate | None = None
    modified: PublishedDate | None = None
    refused_dates: tuple[RefusedDate, ...] = ()
    language: str | None = None
    section: str | None = None
    tags: tuple[str, ...] = ()
    image: str | None = None
    canonical: str | None = None
    site_name: str | None = None
    description: str | None = None
    images: tuple[Image, ...] = ()
    videos: tuple[str, ...] = ()
    audio: tuple[str, ...] = ()
    live_entries: tuple[LiveEntry, ...] = ()


class Described:
    """Gives a frozen dataclass with the field `metadata` one property for each statement of the page: `title`,
    `authors` and so on.

    Such a class has no `slots`: with them, Python 3.11 answers a change of `title` with an error of its own.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # at run time it would be the default of a dataclass's field

        @property
        def metadata(self) -> Metadata: ...

    @property
    def title(self) -> str | None:
        return self.metadata.title

    @property
    def authors(self) -> tuple[str, ...]:
        return self.metadata.authors

    @property
    def language(self) -> str | None:
        return self.metadata.language

    @property
    def section(self) -> str | None:
        return self.metadata.section

    @property
    def tags(self) -> tuple[str, ...]:
        return self.metadata.tags

    @property
    def image(self) -> str | None:
        return self.metadata.image

    @property
    def videos(self) -> tuple[str, ...]:
        """The addresses of the article's videos: files, or players."""
        return self.metadata.videos

    @property
    def audio(self) -> tuple[str, ...]:
        """The addresses of the article's sounds: files, or players."""
        return self.metadata.audio

    @property
    def canonical(self) -> str | None:
        return self.metadata.canonical

    @property
    def site_name(self) -> str | None:
        return self.metadata.site_name

    @property
    def description(self) -> str | None:
        return self.metadata.description


class Dated(Described):
    """`Described` with the dates as times. `metadata.published` also has the source and the precision of the date."""

    __slots__ = ()

    @property
    def published(self) -> datetime | None:
        """Aware, UTC."""
        date = self.metadata.published
        return date.when if date is not None else None

    @property
    def published_offset(self) -> int | None:
        """The offset from UTC that the page states with the date, in minutes east. The date plus this is the time that
        readers saw. None if the page states none."""
        date = self.metadata.published
        return date.offset if date is not None else None

    @property
    def modified(self) -> datetime | None:
        date = self.metadata.modified
        return date.when if date is not None else None

    @property
    def modified_offset(self) -> int | None:
        """As `published_offset`, for `modified`."""
        date = self.metadata.modified
        return date.offset if date is not None else None


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a text, by which texts of nearly the same words are found (newscrawl.model.identity.signature):
    the algorithm's name, the number of distinct shingles, and the smallest of their hashes, ascending."""

    algorithm: str
    shingles: int
    sketch: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """An article extracted from a page: its text, its metadata, and how the text was extracted."""

    url: str
    site: str
    metadata: Metadata
    text: str
    extractor: str
    verdict: Verdict
    trace: tuple[Attempt, ...] = ()
    problems: tuple[str, ...] = ()
    content_hash: str | None = None
    identity_key: str | None = None
    signature: Signature | None = None
    """None for a text too short to be compared with others."""
    hints: tuple[HintMatch, ...] = ()
    """The hints of the site that apply to the page. They are not stored."""
    confidence: float | None = None
    """How right and whole the text probably is, from 0 to 1 (newscrawl.extraction.confidence); None for a text that
    was stored without one."""
    boilerplate_epoch: int = 0
    """The epoch of the site's boilerplate (newscrawl.extraction.site_boilerplate) that the text was extracted with."""
    undisplayed: float = 0.0
    """The share of the words of the page's paragraphs that it does not display as it is written."""
    left_out: tuple[int, ...] = ()
    """Keys of the lines that were left out as boilerplate of the site."""
    structure: Structure | None = None
    """The structure of the text (newscrawl.extraction.structure); None for a text that is not of the page's runs."""

    @property
    def is_fallback(self) -> bool:
        """Whether the accepted text is from another extractor than the first of the chain."""
        return bool(self.trace) and self.trace[0].extractor != self.extractor
