"""Measures of a page's structure that tell articles from other kinds of pages, without words of any language.

Counts enter as logarithms (log(1 + count)), shares as 0 to 1, statements as 0 or 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final

from newscrawl.article.page_kinds.address import ADDRESS_FEATURES, address_features
from newscrawl.article.page_kinds.boxes import BOX_FEATURES, box_features
from newscrawl.article.page_kinds.columns import Columns
from newscrawl.article.page_kinds.layout import LAYOUT_FEATURES, hrefs, layout_features
from newscrawl.article.page_kinds.sections import SECTION_FEATURES, section_features
from newscrawl.article.signals import HEADLINE_WORDS, Signals, types_of
from newscrawl.page.run import HEADING, LIST_ITEM, TOP_HEADING
from newscrawl.page.tags import TAG_NAMES

PROSE_WORDS: Final = 25
"""Least words of a run of prose."""
BLOCK_WORDS: Final = 15
"""Least words of a run that continues a block of prose."""
LABEL_WORDS: Final = 6
"""Most words of a run that is a label."""
MENU_WORDS: Final = 2
"""Most words of a linked heading that may be a menu's."""
PATH_STEPS: Final = 5
"""Tags of the path by which headings are compared: those at the same place of repeated boxes have equal paths."""

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
COUNTED_TAGS: Final = tuple(
    "h1 h2 h3 h4 p li a img table tr pre code dl form input button select option video iframe time article section nav "
    "ol ul figure figcaption blockquote svg label textarea main aside strong br hr nav header footer address details "
    "picture em small b".split()
)
_ENDS: Final = '.!?…。！？"”'
_QUESTIONS: Final = "?？؟"
ARTICLE_OG: Final = frozenset({"article", "news", "newsarticle", "blog"})
_TAGS: Final = tuple(TAG_NAMES.index(tag) for tag in COUNTED_TAGS)
_SUBHEADINGS: Final = frozenset(TAG_NAMES.index(tag) for tag in ("h2", "h3", "h4", "h5"))
_ARTICLE, _TIME, _ITEM, _ROW, _SECTION, _ANCHOR = (
    TAG_NAMES.index(tag) for tag in ("article", "time", "li", "tr", "section", "a")
)
_COMPARED: Final = _SUBHEADINGS | {_ARTICLE, _TIME, _ITEM, _ROW, _SECTION, _ANCHOR}

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
STATED_FEATURES: Final = (
    *(f"type {kind}" for kind in SCHEMA_TYPES),
    "any type", "declares an article", "microdata product", "og:type article", "og:type website", "og:type product",
    "any og:type", "declared date", "any date", "date in the text", "authors", "price in the head",
    "article:published_time", "meta author", *(f"software {kind}" for kind in SOFTWARE),
)  # fmt: skip
_TITLE_FEATURES: Final = ("words of the title", "words of the headline")
KIND_FEATURES: Final = (
    *(*_TEXT_FEATURES, *_TREE_FEATURES, *STATED_FEATURES, *_TITLE_FEATURES),
    *(*ADDRESS_FEATURES, *BOX_FEATURES, *LAYOUT_FEATURES, *SECTION_FEATURES),
)
"""The names of the features, in the order of a row."""


def kind_features(signals: Signals) -> tuple[float, ...]:
    """Returns the page's row: a value for each of `KIND_FEATURES`. Takes time in proportion to the page's size."""
    runs = Columns.of(signals.page.runs)
    found = hrefs(signals.page)
    return (
        *(*_text(runs, signals.extraction.runs), *_tree(signals), *_stated(signals)),
        *(*address_features(signals.url), *box_features(signals, runs)),
        *(*layout_features(signals, runs, found), *section_features(signals, runs, found)),
    )


def _text(page: Columns, kept: Sequence[int]) -> Iterator[float]:
    """The lengths and links of the page's runs and of those that are the text (`kept`)."""
    chosen = page.chosen(kept)
    span = page.part(kept[0], kept[-1] + 1) if kept else page.part(0, 0)
    words, text_words = max(page.total, 1), max(chosen.total, 1)
    prose = [w for w, linked in zip(page.words, page.linked, strict=True) if w >= PROSE_WORDS and linked * 3 < w]
    yield from (log1p(page.total), log1p(chosen.total), chosen.total / words)
    yield from (page.linked_share, chosen.linked_share, log1p(len(page)), log1p(len(chosen)))
    yield from (sum(prose) / words, log1p(sum(prose)), log1p(len(prose)), chosen.total / max(len(chosen), 1))
    yield from (chosen.words_with(LIST_ITEM) / text_words, page.words_with(LIST_ITEM) / words)
    yield from (chosen.share_ending(_ENDS), page.share_ending(_ENDS))
    yield 1 - len(chosen) / len(span) if kept else 0.0
    yield from (kept[0] / len(page), kept[-1] / len(page)) if kept else (0.0, 0.0)
    within = len([True for flags in span.flags if flags & HEADING])
    yield from (within / max(len(span), 1), log1p(chosen.total / (1 + within)), span.linked_share)
    yield log1p(_longest_block(span))
    yield len([True for w in span.words if w < LABEL_WORDS]) / max(len(span), 1)
    linked_runs = [
        (w, f) for w, linked, f in zip(page.words, page.linked, page.flags, strict=True) if w and w == linked
    ]
    headings = len([True for flags in page.flags if flags & TOP_HEADING])
    linked_headings = [w for w, flags in linked_runs if flags & TOP_HEADING]
    yield from (log1p(headings), len(linked_headings) / max(headings, 1))
    yield log1p(len([True for w in linked_headings if w > MENU_WORDS]))
    yield log1p(len([True for w, _ in linked_runs if w >= HEADLINE_WORDS]))
    yield from (log1p(page.prices), log1p(chosen.prices if page.prices else 0))
    yield log1p(page.share_ending(_QUESTIONS) * len(page))


def _longest_block(span: Columns) -> int:
    """The words of the longest sequence of prose under one heading."""
    longest = block = 0
    for words, linked, flags in zip(span.words, span.linked, span.flags, strict=True):
        if words >= BLOCK_WORDS and linked * 2 < words:
            block += words
            longest = max(longest, block)
        elif flags & TOP_HEADING:
            block = 0
    return longest


def _tree(signals: Signals) -> Iterator[float]:
    """The number of elements of each tag, and of equal ones at the same place."""
    parent, tag = signals.page.elements.parent, signals.page.elements.tag
    counts = Counter(tag)
    for code in _TAGS:
        yield log1p(counts[code])
    places: Counter[tuple[int, ...]] = Counter()
    times: Counter[tuple[int, ...]] = Counter()
    siblings: dict[int, list[int]] = {code: [] for code in (_ARTICLE, _ITEM, _ROW, _SECTION, _ANCHOR)}
    for element, code in enumerate(tag):
        if code not in _COMPARED:
            continue
        if code in siblings:
            siblings[code].append(parent[element])
        elif code in _SUBHEADINGS:
            places[_path(element, parent, tag)] += 1
        else:
            times[_path(element, parent, tag)] += 1
    siblings[_ANCHOR] = [parent[above] for above in siblings[_ANCHOR]]
    yield from (_greatest(places), _greatest(Counter(siblings[_ARTICLE])), _greatest(times))
    yield from (_greatest(Counter(siblings[code])) for code in (_ITEM, _ROW, _SECTION, _ANCHOR))
    yield counts[_ANCHOR] / max(signals.page_words, 1)


def _path(element: int, parent: Sequence[int], tag: Sequence[int]) -> tuple[int, ...]:
    path: list[int] = []
    while element >= 0 and len(path) < PATH_STEPS:
        path.append(tag[element])
        element = parent[element]
    return tuple(path)


def _greatest(counts: Counter[int] | Counter[tuple[int, ...]]) -> float:
    return log1p(max(counts.values(), default=0))


def _stated(signals: Signals) -> Iterator[float]:
    """What the page states of itself."""
    page, og = signals.page, signals.og_type
    microdata = [kind.rpartition("/")[2] for marked in page.hints.marked if (kind := marked.attributes.get("itemtype"))]
    types = {kind for thing in page.hints.json_ld for kind in types_of(thing)} | signals.types | set(microdata)
    for named in SCHEMA_TYPES.values():
        yield not types.isdisjoint(named)
    yield from (bool(types), signals.declares_article)
    yield log1p(sum(kind in ("Product", "Offer") for kind in microdata))
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
