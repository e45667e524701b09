"""The work of a worker process on a page, by name, and its options. Importing this module loads no extractor: a process
that only hands pages to workers needs none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from newscrawl.errors import ConfigurationError
from newscrawl.extraction.limits import Limits
from newscrawl.identity import content_hash, identity_of, url_key
from newscrawl.identity.content import MIN_WORDS_OF_OWN
from newscrawl.model import OTHER_KINDS, Failure, ProcessedPage, RawPage
from newscrawl.site_boilerplate import NO_BOILERPLATE, SiteBoilerplate
from newscrawl.site_hints import NO_HINTS, SiteHints

if TYPE_CHECKING:  # loaded with the first page
    from newscrawl.article.verdict_rules import Rules
    from newscrawl.extraction.chain import Chain
    from newscrawl.extraction.registry import OwnExtractors

KEPT_KINDS: Final = ("article", "live", "paywalled", "short")
"""The default of NEWSCRAWL_KINDS."""
KINDS: Final = (*KEPT_KINDS, *OTHER_KINDS)
"""Verdicts that may be kept. Walls and "not found" pages have nothing to keep."""
KINDS_SETTING: Final = "NEWSCRAWL_KINDS"
BEGINNING: Final = 2_000
"""Characters of a text whose words are counted to see whether it is long enough to be an article by itself."""
ENOUGH_WORDS: Final = 2 * MIN_WORDS_OF_OWN
"""With fewer words in its beginning all of a text is counted. The last word of the beginning may be cut."""
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
        from newscrawl.article.verdict_rules import load_rules
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
    from newscrawl.article.from_page import article_or_failure  # loads the extractors

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
    from newscrawl.page.words import count_words  # loads the parser

    words = count_words(article.text[:BEGINNING])
    if words < ENOUGH_WORDS:
        words = count_words(article.text)
    key = identity_of(digest, url_key(page.raw.final_url), words)
    from newscrawl.identity.signature import signature  # loads numpy, which extraction alone does not need

    signed = signature(article.text)
    return replace(page, article=replace(article, content_hash=digest, identity_key=key, signature=signed))
