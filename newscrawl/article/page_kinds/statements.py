"""Measures of what a page states of itself: types of structured data, og:type, date, author, software and title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log1p
from typing import Final

from newscrawl.article.signals import Signals

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
ARTICLE_OG: Final = frozenset({"article", "news", "newsarticle", "blog"})

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
