"""`make_article` (the work of a worker process on a page), its options, and what a page states about its use. Importing
this module loads no extractor: a process that only hands pages to workers needs none.

Statements about use are read in a page's headers and its head, stored with the page and passed on with it. X-Robots-Tag
and the robots meta element (Google's robots meta tag specification, which other search engines follow): directives for
all robots or for newscrawl's; those for another named robot are ignored. TDM Reservation Protocol (W3C community group
report, 2024): tdm-reservation and tdm-policy, as a header or meta element; the header takes precedence, as in the
protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from newscrawl.errors import ConfigurationError
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.site_boilerplate import NO_BOILERPLATE, SiteBoilerplate
from newscrawl.extraction.site_hints import NO_HINTS, SiteHints
from newscrawl.model import OTHER_KINDS, Failure, ProcessedPage, RawPage, UsageRights
from newscrawl.model.identity import content_hash, identity_of, url_key
from newscrawl.model.identity.content import MIN_WORDS_OF_OWN

if TYPE_CHECKING:  # loaded with the first page
    from newscrawl.extraction.article.verdict_rules import Rules
    from newscrawl.extraction.chain import Chain
    from newscrawl.extraction.registry import OwnExtractors
    from newscrawl.page import Page

KEPT_KINDS: Final = ("article", "live", "paywalled", "short")
"""The default of NEWSCRAWL_KINDS."""
KINDS: Final = (*KEPT_KINDS, *OTHER_KINDS)
"""Verdicts that may be kept. Walls and "not found" pages have nothing to keep."""
KINDS_SETTING: Final = "NEWSCRAWL_KINDS"
EMPTY_ANSWER: Final = Failure("http/empty", "status 200 with an empty body")
"""The failure of a page without a body, compressed or not."""


@dataclass(frozen=True)
class ArticleOptions:
    """How pages become articles: the chain by name, chains and extractors that settings add, the chain's limits, the
    user's verdict rules, the kinds that are kept, and the hints and the boilerplate of the site. It goes to worker
    processes, which load extensions themselves."""

    chain: str = "classic"
    chains: Mapping[str, Sequence[str]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    extractors: OwnExtractors = field(default_factory=dict)
    verdict_rules: Rules = ()
    kinds: tuple[str, ...] = KEPT_KINDS
    """The verdicts of pages that are stored as articles."""
    hints: SiteHints = NO_HINTS
    boilerplate: SiteBoilerplate = NO_BOILERPLATE
    """The current epoch of the site's boilerplate, whole, so that a worker needs no database."""
    leaves_out_boilerplate: bool = True
    """Whether the site's boilerplate is left out of its texts."""

    def with_boilerplate(self, epoch: SiteBoilerplate) -> ArticleOptions:
        """Returns the options with an epoch of the site; unchanged if its boilerplate is not left out."""
        return replace(self, boilerplate=epoch) if epoch and self.leaves_out_boilerplate else self

    def resolve(self) -> Chain:
        """Returns the chain itself; the rules are loaded, too. Raises UnknownChainError, ConfigurationError or
        ExtensionError."""
        from newscrawl.extraction.article.verdict_rules import load_rules
        from newscrawl.extraction.chain import resolve

        load_rules(self.verdict_rules)
        if unknown := sorted(set(self.kinds).difference(KINDS)):
            raise ConfigurationError(KINDS_SETTING, f"there is no kind {unknown[0]!r}: kinds are {', '.join(KINDS)}")
        return resolve(self.chain, self.chains, self.limits, extractors=self.extractors)

    def check(self) -> None:
        """Raises the errors of `resolve`. The default options have none, and are not resolved: that loads all
        extractors, which takes a second."""
        if self != ArticleOptions():
            self.resolve()


def make_article(raw: RawPage, options: ArticleOptions) -> ProcessedPage:
    """Decodes, parses, extracts, reads metadata and judges. The result has no body. No page raises an error."""
    from newscrawl.extraction.article.from_page import article_or_failure  # loads the extractors

    slim = replace(raw, body=None)
    result, use = article_or_failure(raw, options)
    if isinstance(result, Failure):
        return ProcessedPage(slim, failure=result, use=use)
    return ProcessedPage(slim, article=result, use=use)


def fingerprint(page: ProcessedPage) -> ProcessedPage:
    """Returns the page with its article's content hash, identity key and near-duplicate signature.

    A page that already has the first two is returned unchanged.
    """
    article = page.article
    if article is None or (article.content_hash and article.identity_key):
        return page
    digest = content_hash(article.text)
    from newscrawl.page.words import count_words_until  # loads the parser

    words = count_words_until(article.text, MIN_WORDS_OF_OWN)
    key = identity_of(digest, url_key(page.raw.final_url), words)
    from newscrawl.model.identity.signature import signature  # loads numpy, which extraction alone does not need

    signed = signature(article.text)
    return replace(page, article=replace(article, content_hash=digest, identity_key=key, signature=signed))


ROBOT: Final = "newscrawl"
VALUED: Final = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Directives with a value after a colon. Any other word before a colon is a robot's name."""
MAX_HEADER: Final = 4_000
"""Characters of a header that are read."""
MAX_POLICY: Final = 2_000


def read_use(page: Page, headers: Mapping[str, str]) -> UsageRights:
    """Returns the page's statements. `headers` has lower-case names."""
    found = set(directives([headers.get("x-robots-tag", "")], scoped=True))
    found |= set(directives([*page.head.all("robots"), *page.head.all(ROBOT)], scoped=False))
    reserved = _first([headers.get("tdm-reservation"), *page.head.all("tdm-reservation")])
    policy = _first([headers.get("tdm-policy"), *page.head.all("tdm-policy")])
    return UsageRights(
        noindex=bool(found & {"noindex", "none"}),
        noarchive=bool(found & {"noarchive", "nocache"}),
        nosnippet="nosnippet" in found or "max-snippet:0" in found,
        tdm_reservation={"1": True, "0": False}.get(reserved or ""),
        tdm_policy=policy[:MAX_POLICY] if policy else None,
    )


def directives(values: Iterable[str], *, scoped: bool) -> Iterator[str]:
    """Yields the directives for all robots or for newscrawl's, in lower case and without blanks. In a header (`scoped`)
    a robot's name before a colon applies to the directives after it."""
    for value in values:
        ours = True
        for part in value[:MAX_HEADER].lower().split(","):
            word, colon, rest = (piece.strip() for piece in part.partition(":"))
            if colon and word in VALUED:
                yield f"{word}:{rest}" if ours else ""
                continue
            if colon and scoped:
                ours, word = word == ROBOT, rest
            if ours and word:
                yield from word.split()


def _first(values: Iterable[str | None]) -> str | None:
    return next((value.strip() for value in values if value and value.strip()), None)
