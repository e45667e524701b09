"""Measures of a page that tell articles from other kinds of pages without reading words of any language: its structure,
its URL, and what it states about itself (types of structured data, og:type, date, author, software and title).

Counts enter as logarithms (log(1 + count)), shares as 0 to 1, statements as 0 or 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final
from urllib.parse import urlsplit

from newscrawl.discovery.links.article_urls import looks_like_article
from newscrawl.extraction.article.page_kinds.counts import Columns, RunCounts, run_counts
from newscrawl.extraction.article.page_kinds.layout import (
    BOX_FEATURES,
    LAYOUT_FEATURES,
    SECTION_FEATURES,
    box_features,
    equal_places,
    layout_features,
    section_features,
)
from newscrawl.extraction.article.signals import ARTICLE_OG, Signals
from newscrawl.page.tags import TAG_NAMES

SCHEMA_TYPES: Final = {
    "article": frozenset(
        "Article NewsArticle BlogPosting ReportageNewsArticle AnalysisNewsArticle OpinionNewsArticle Report "
        "BackgroundNewsArticle ReviewNewsArticle LiveBlogPosting ScholarlyArticle".split()
    ),
    "product": frozenset(
        "Product Offer AggregateOffer ProductGroup IndividualProduct ProductModel Vehicle Car".split()
    ),
    "forum": frozenset("DiscussionForumPosting QAPage Question Answer".split()),
    "documentation": frozenset("TechArticle APIReference HowTo SoftwareSourceCode".split()),
    "listing": frozenset("CollectionPage ItemList SearchResultsPage OfferCatalog Blog ProfilePage".split()),
    "service": frozenset(
        "Service LocalBusiness AboutPage ContactPage JobPosting Event SoftwareApplication FAQPage MobileApplication "
        "WebApplication ProfessionalService Course Hotel Restaurant FinancialService Store".split()
    ),
    "page": frozenset({"WebPage"}),
}
"""schema.org types by the kind of page that states them, anywhere in its JSON-LD and microdata."""
SOFTWARE: Final = {
    "forum": re.compile(r"discourse|vbulletin|phpbb|xenforo|invision|flarum|mybb|vanilla", re.IGNORECASE),
    "documentation": re.compile(
        r"docusaurus|sphinx|mkdocs|mediawiki|gitbook|doxygen|vuepress|vitepress|antora|asciidoc|docutils|starlight",
        re.IGNORECASE,
    ),
    "shop": re.compile(r"woocommerce|shopify|magento|prestashop|shopware", re.IGNORECASE),
}
"""Software that names itself in meta generator, by the kind of page it makes."""

STATED_FEATURES: Final = (
    *(f"type {kind}" for kind in SCHEMA_TYPES),
    "any type", "declares an article", "microdata product", "og:type article", "og:type website", "og:type product",
    "any og:type", "declared date", "any date", "date in the text", "authors", "price in the head",
    "article:published_time", "meta author", *(f"software {kind}" for kind in SOFTWARE),
)  # fmt: skip
TITLE_FEATURES: Final = ("words of the title", "words of the headline")


def stated_features(signals: Signals) -> Iterator[float]:
    """Yields the values of `STATED_FEATURES` and `TITLE_FEATURES`."""
    page, og = signals.page, signals.og_type
    types = signals.all_types
    for named in SCHEMA_TYPES.values():
        yield not types.isdisjoint(named)
    yield from (bool(types), signals.declares_article)
    yield log1p(sum(kind.rpartition("/")[2] in ("Product", "Offer") for kind in signals.itemtypes))
    yield from (og in ARTICLE_OG, og == "website", og.startswith("product"), bool(og), signals.dated)
    published = signals.metadata.published
    in_text = published is not None and not signals.dated and not published.source.startswith("url")
    yield from (published is not None, in_text, bool(signals.metadata.authors))
    keys = page.head.contents.keys()
    yield any("price" in key or key.startswith("product:") for key in keys)
    yield from ("article:published_time" in keys, "author" in keys or "article:author" in keys)
    generator = page.head.first("generator") or ""
    for pattern in SOFTWARE.values():
        yield pattern.search(generator) is not None
    yield from (len((page.head.title or "").split()), len((page.hints.headline or "").split()))


MAX_HYPHENS: Final = 8
"""Hyphens of a path segment that are counted. Titles in addresses have about as many."""


def _words(alternatives: str) -> re.Pattern[str]:
    """A pattern of whole words between the separators of an address."""
    return re.compile(rf"(?:^|[/_.?=&-])(?:{alternatives})(?=$|[/_.?=&-]|\d)")


PATH_WORDS: Final = {
    "forum": _words(
        "forums?|threads?|topics?|viewtopic|showthread|showtopic|discussions?|questions|community|boards?|comments|msg|"
        "t|answers|foro|foren|diskussion|themen"
    ),
    "product": _words(
        "products?|shop|store|dp|gp|items?|itm|p|produk[a-z]*|producto?s?|produits?|sku|buy|catalog|boutique|tienda|kaufen"
    ),
    "documentation": _words(
        "docs?|documentation|reference|api|manual|guides?|tutorials?|wiki|help|kb|handbook|man|developers?|sdk|"
        "getting-started|stable|latest|howto|dokumentation|anleitung"
    ),
    "listing": _words(
        "categor(?:y|ies|ia|ie)|tags?|topics?|author|search|archives?|section|collections?|list|directory|browse|best|"
        "top|all|page|results?|suche|buscar|recherche|rubrik"
    ),
    "service": _words(
        "services?|about(?:-us)?|contact(?:-us)?|careers?|jobs?|events?|solutions?|pricing|features?|locations?|team|"
        "company|support|programs?|courses?|degrees?|industries|platform|insurance|business|impressum|kontakt|karriere|"
        "contacto|empleo|ueber-uns|leistungen|servicios|emploi"
    ),
    "article": _words(
        "news|blog|posts?|articles?|story|stories|opinion|press|magazine|nachrichten|noticias?|actualites?|artikel"
    ),
}
"""Words of a path or query that name a kind."""
HOST_WORDS: Final = {
    "forum": re.compile(r"forum|foren|community|discuss|stack|boards?\b"),
    "documentation": re.compile(r"\bdocs?\b|developer|readthedocs|wiki|\bhelp\b|\bsupport\b|manual"),
    "product": re.compile(r"shop|store"),
    "news": re.compile(r"blog|news|magazin|times|post\b|press"),
}
"""Words of a host that name a kind."""

_YEAR: Final = re.compile(r"/(?:19|20)\d\d[/-]?[01]?\d")
_LONG_NUMBER: Final = re.compile(r"\d{4,}")
_FILE: Final = (".html", ".htm", ".php", ".aspx")

ADDRESS_FEATURES: Final = (
    "url depth",
    "url home",
    "url hyphens",
    "url last hyphens",
    "url number",
    "url date",
    "url query",
    "url like an article's",
    "url file",
    *(f"url word {kind}" for kind in PATH_WORDS),
    *(f"host word {kind}" for kind in HOST_WORDS),
)


def names_forum(url: str) -> bool:
    """Returns whether the host, path or query of a valid URL has a word of forums."""
    host, words = _host_and_words(url)
    return (PATH_WORDS["forum"].search(words) or HOST_WORDS["forum"].search(host)) is not None


def names_other_kind(url: str) -> bool:
    """Returns whether a valid URL is that of a front page, or its host, path or query has a word of a kind other than
    article."""
    host, words = _host_and_words(url)
    if words == "?":
        return True
    return any(pattern.search(words) for kind, pattern in PATH_WORDS.items() if kind != "article") or any(
        pattern.search(host) for kind, pattern in HOST_WORDS.items() if kind != "news"
    )


def _host_and_words(url: str) -> tuple[str, str]:
    """Returns the host of a valid URL, and its path and query with "?" between, in lower case."""
    parts = urlsplit(url.lower())
    return parts.netloc, f"{parts.path.rstrip('/')}?{parts.query}"


def address_features(url: str | None) -> Iterator[float]:
    """Yields the values of `ADDRESS_FEATURES` for a page's valid URL, zeros for a page without one."""
    if not url:
        yield from (0.0,) * len(ADDRESS_FEATURES)
        return
    parts = urlsplit(url)
    path = parts.path.lower().rstrip("/")
    segments = [segment for segment in path.split("/") if segment]
    last = segments[-1] if segments else ""
    words = f"{path}?{parts.query.lower()}"
    yield len(segments)
    yield not segments and not parts.query
    yield min(MAX_HYPHENS, max((segment.count("-") + segment.count("_") for segment in segments), default=0))
    yield min(MAX_HYPHENS, last.count("-"))
    yield _LONG_NUMBER.search(path) is not None
    yield _YEAR.search(path) is not None
    yield bool(parts.query)
    yield looks_like_article(url)
    yield last.endswith(_FILE)
    for pattern in PATH_WORDS.values():
        yield pattern.search(words) is not None
    for pattern in HOST_WORDS.values():
        yield pattern.search(parts.netloc.lower()) is not None


COUNTED_TAGS: Final = tuple(
    "h1 h2 h3 h4 p li a img table tr pre code dl form input button select option video iframe time article section nav "
    "ol ul figure figcaption blockquote svg label textarea main aside strong br hr header footer address details "
    "picture em small b".split()
)
_TAGS: Final = tuple(TAG_NAMES.index(tag) for tag in COUNTED_TAGS)
_ANCHOR: Final = TAG_NAMES.index("a")

_TEXT_FEATURES: Final = (
    "words", "text words", "text share", "linked share", "text linked share", "runs", "text runs",
    "prose share", "prose words", "prose runs", "words a text run", "text in lists", "page in lists",
    "text runs that end sentences", "page runs that end sentences", "left out within the text", "start of the text",
    "end of the text", "headings within the text", "words a heading", "linked within the text",
    "longest block of prose", "labels within the text", "headings", "linked headings share", "linked headings",
    "links like headlines", "prices", "prices within the text", "questions",
)  # fmt: skip
_TREE_FEATURES: Final = (
    *(f"<{tag}>" for tag in COUNTED_TAGS),
    "headings at the same place", "articles side by side", "times at the same place", "items side by side",
    "rows side by side", "sections side by side", "links side by side", "links a word",
)  # fmt: skip
KIND_FEATURES: Final = (
    *(*_TEXT_FEATURES, *_TREE_FEATURES, *STATED_FEATURES, *TITLE_FEATURES),
    *(*ADDRESS_FEATURES, *BOX_FEATURES, *LAYOUT_FEATURES, *SECTION_FEATURES),
)
"""The names of the features, in the order of a row."""


def kind_features(signals: Signals) -> tuple[float, ...]:
    """Returns the page's row: a value for each of `KIND_FEATURES`. Takes time in proportion to the page's size."""
    runs, kept = Columns.of(signals.page.runs), signals.extraction.runs
    counts = run_counts(runs, signals.page.elements.tag, kept)
    return (
        *(*_text(runs, counts, kept), *_tree(signals), *stated_features(signals)),
        *(*address_features(signals.url), *box_features(signals, runs)),
        *(*layout_features(signals, counts), *section_features(signals, runs, counts)),
    )


def _text(runs: Columns, counts: RunCounts, kept: Sequence[int]) -> Iterator[float]:
    """The lengths and links of the page's runs and of those that are the text (`kept`)."""
    c, number = counts, len(runs)
    words, text_words = max(c.words, 1), max(c.text_words, 1)
    span = kept[-1] + 1 - kept[0] if kept else 0
    yield from (log1p(c.words), log1p(c.text_words), c.text_words / words)
    yield from (c.linked / words, c.text_linked / text_words, log1p(number), log1p(len(kept)))
    yield from (c.prose_words / words, log1p(c.prose_words), log1p(c.prose_runs), c.text_words / max(len(kept), 1))
    yield from (c.text_listed / text_words, c.listed / words)
    yield from (c.text_ends / max(len(kept), 1), c.ends / max(number, 1))
    yield 1 - len(kept) / span if kept else 0.0
    yield from (kept[0] / number, kept[-1] / number) if kept else (0.0, 0.0)
    yield from (c.span_headings / max(span, 1), log1p(c.text_words / (1 + c.span_headings)))
    yield c.span_linked / max(c.span_words, 1)
    yield log1p(c.longest_block)
    yield c.span_labels / max(span, 1)
    yield from (log1p(c.headings), c.linked_headings / max(c.headings, 1))
    yield from (log1p(c.linked_titles), log1p(c.linked_headlines))
    yield from (log1p(runs.prices), log1p(runs.prices_of(kept) if runs.prices else 0))
    yield log1p(c.questions / max(number, 1) * number)


def _tree(signals: Signals) -> Iterator[float]:
    """The number of elements of each tag, and of equal ones at the same place."""
    parent, tag = signals.page.elements.parent, signals.page.elements.tag
    tags = bytes(tag)  # of which a search takes a tenth of the time of one in a list
    yield from [log1p(tags.count(code)) for code in _TAGS]
    yield from map(log1p, equal_places(parent, tag))
    yield tags.count(_ANCHOR) / max(signals.page_words, 1)
