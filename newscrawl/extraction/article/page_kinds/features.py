"""Measures of a page that tell articles from other kinds of pages without reading words of any language: its structure,
its URL, and what it states about itself (types of structured data, og:type, date, author, software and title).

An article has one long section, a landing page many short ones. A listing repeats a link with a heading, a shop a price
with a button, a thread a text with a time. What they have is recognized by numbers and addresses, not by words of the
text. What an element contains is passed up the tree once, so the time is linear in the page's size. Boxes of a listing
or posts of a thread are written by one template, so their headings and times have equal paths.

Counts enter as logarithms (log(1 + count)), shares as 0 to 1, statements as 0 or 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final
from urllib.parse import urlsplit

from newscrawl.discovery.links.article_urls import looks_like_article
from newscrawl.extraction.article.page_kinds.counts import Columns, RunCounts, has_price, run_counts
from newscrawl.extraction.article.signals import ARTICLE_OG, Signals
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

TITLE_HYPHENS: Final = 3
"""Least hyphens of a link's last segment that may be a title."""
LAYOUT_FEATURES: Final = (
    "parts of the text", "longest part of the text", "words a part", "<h1> with text", "text after the <h1>",
    "words in <p>", "long <p>", "prose in <p>", "links", "links below the page", "links beside the page",
    "links to other hosts", "distinct links", "links to mail and telephone", "links within the page",
    "links like titles", "sentences that are questions", "places of the text", "elements of the text",
    "text at one place",
)  # fmt: skip
_EDGE: Final = "\0"
"""Stands before and after each address. No parser of HTML leaves this character in a value."""


def layout_features(signals: Signals, counts: RunCounts) -> Iterator[float]:
    """Yields the values of `LAYOUT_FEATURES`. `counts` are those of the page's runs."""
    c, words = counts, max(counts.words, 1)
    parts = c.span_headings + 1
    total = max(c.part_words, 1)
    yield from (log1p(c.span_headings), c.longest_part / total, log1p(total / parts))
    yield from (c.top_headings, c.top_distance)
    yield from (c.paragraph_words / words, c.long_paragraphs, c.long_prose / words)
    yield from _links(signals)
    yield log1p(c.question_sentences)
    yield from _places(signals)


def _links(signals: Signals) -> Iterator[float]:
    """The links, by where they lead: below the page's address, beside it, to other hosts, or to a part of the page.

    The addresses are searched as one text, in which each stands between two marks: that takes a tenth of the time of a
    loop over them.
    """
    found = signals.hrefs
    number = max(len(found), 1)
    parts = urlsplit(signals.url or "")
    root = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    above = path.rpartition("/")[0]
    addresses = f"{_EDGE}{(_EDGE + _EDGE).join(found)}{_EDGE}"
    paths = addresses.replace(f"{_EDGE}{root}", _EDGE)
    yield log1p(len(found))
    for start in (f"{path}/", f"{above}/"):
        yield (paths.count(f"{_EDGE}{start}") - paths.count(f"{_EDGE}{start}{_EDGE}")) / number
    yield sum(paths.count(f"{_EDGE}{start}") for start in ("http", "//")) / number
    distinct = set(found)
    yield log1p(len(distinct))
    yield log1p(sum(addresses.count(f"{_EDGE}{scheme}") for scheme in ("tel:", "mailto:")))
    yield log1p(sum(paths.count(f"{_EDGE}{start}#") for start in {"", path}))
    hyphens = [one for one in distinct if one.count("-") >= TITLE_HYPHENS]
    yield log1p(len([one for one in hyphens if one.rstrip("/").rpartition("/")[2].count("-") >= TITLE_HYPHENS]))


def _places(signals: Signals) -> Iterator[float]:
    """How much of the text is in the same element."""
    runs, parent = signals.page.runs, signals.page.elements.parent
    words: Counter[int] = Counter()
    for number in signals.extraction.runs:
        words[parent[runs[number].element]] += runs[number].words
    yield log1p(len(words))
    yield log1p(len({runs[number].element for number in signals.extraction.runs}))
    yield max(words.values(), default=0) / max(signals.words, 1)


NEAR_RUNS: Final = 8
"""Most runs between a headline and the date that belongs to it."""

_WRITTEN_YEAR: Final = re.compile(r"(?<!\d)(?:19[89]|20[0-3])\d(?!\d)")
_QUOTES: Final = '“”„«»「」『』"'
_SHARE: Final = tuple(
    "sharer /intent/ /share? shareArticle /submit? pin/create wa.me/ whatsapp.com/send t.me/share mailto:?".split()
)
"""Parts of addresses by which a text is shared on social networks."""
_PATHS: Final = tuple(
    (frozenset(segments.split()), re.compile(f"/(?:{'|'.join(segments.split())})/"))
    for segments in (
        "tag tags topic topics category categories thema etiqueta etiquetas",
        "author authors autor auteur contributor contributors by staff writer writers",
        "u user users member members profile profiles",
    )
)
"""The path segments of the addresses of tags, authors and members, and a pattern for them."""

SECTION_FEATURES: Final = (
    "sections", "longest section", "short sections", "words a section", "cards", "date beside the headline",
    "short runs with a year", "short runs with a number", "quotation marks", "exclamation marks",
    "headings that are questions", "words of the <h1>", "<h1> in the title",
    "links to share", "links to tags", "links to authors", "links to members",
)  # fmt: skip


def section_features(signals: Signals, columns: Columns, counts: RunCounts) -> Iterator[float]:
    """Yields the values of `SECTION_FEATURES`. `columns` are the page's runs and `counts` what is counted of them."""
    total = max(counts.section_words, 1)
    yield from (log1p(counts.sections), counts.longest_section / total, counts.short_section_words / total)
    yield from (log1p(total / max(counts.sections, 1)), log1p(counts.cards))
    top = counts.top if counts.top_headings else None
    yield from _dates(columns, top)
    yield from _marks(signals, columns, counts)
    yield from _headline(signals, columns, top)
    addresses = "\n".join(signals.hrefs)
    yield log1p(sum(map(addresses.count, _SHARE)))
    segments = set(addresses.split("/"))
    for wanted, pattern in _PATHS:
        yield 0.0 if segments.isdisjoint(wanted) else log1p(len(pattern.findall(addresses)))


def _dates(columns: Columns, top: int | None) -> Iterator[float]:
    """Whether a year is beside the headline (run `top`), and the short runs with a year or another number."""
    numbers = [run for run in columns.with_digit if columns.words[run] != columns.linked[run]]
    years = [run for run in numbers if _WRITTEN_YEAR.search(columns.texts[run])]
    yield top is not None and any(abs(run - top) <= NEAR_RUNS for run in years)
    yield log1p(len(years))
    yield log1p(len(numbers))


def _marks(signals: Signals, columns: Columns, counts: RunCounts) -> Iterator[float]:
    text = signals.extraction.text
    yield 100 * sum(map(text.count, _QUOTES)) / max(signals.words, 1)
    yield 100 * "".join(columns.texts).count("!") / max(counts.words, 1)
    yield log1p(counts.question_headings)


def _headline(signals: Signals, columns: Columns, top: int | None) -> Iterator[float]:
    yield log1p(columns.words[top]) if top is not None else 0.0
    yield top is not None and columns.texts[top].lower() in (signals.page.head.title or "").lower()


LINK, HEAD, PICTURE, TIME, PRICE, TEXT, BUTTON, DATE = (1 << bit for bit in range(8))
"""What a box contains."""
MIN_BOXES: Final = 3
"""The fewest equal boxes beside each other that count as repeated."""
TEXT_WORDS: Final = 15
"""Least words of a run that is a text of its box."""
BOXES: Final = {
    "link and heading": LINK | HEAD,
    "link and picture": LINK | PICTURE,
    "link, heading and picture": LINK | HEAD | PICTURE,
    "text and time": TEXT | TIME,
    "text and link": TEXT | LINK,
    "text, link and time": TEXT | LINK | TIME,
    "price and link": PRICE | LINK,
    "heading and text": HEAD | TEXT,
    "heading, picture and text": HEAD | PICTURE | TEXT,
    "button and text": BUTTON | TEXT,
    "button and heading": BUTTON | HEAD,
    "button and link": BUTTON | LINK,
    "text": TEXT,
    "text and date": TEXT | DATE,
    "link and date": LINK | DATE,
    "link, heading and date": LINK | HEAD | DATE,
}
"""The boxes that are counted, and what each contains."""
BOX_FEATURES: Final = (
    *(f"boxes of {name}" for name in BOXES),
    *(f"words in boxes of {name}" for name in BOXES),
)
_YEAR_OR_TIME: Final = re.compile(r"(?<!\d)(?:(?:19[89]|20[0-3])\d|\d\d?:\d\d)(?!\d)")
"""A year or a time of day."""
_WANTED: Final = tuple(BOXES.values())
_CONTENT: Final = {
    "a": LINK,
    "img": PICTURE,
    "time": TIME,
    "button": BUTTON,
    **dict.fromkeys((f"h{level}" for level in range(1, 6)), HEAD),
}
_OF_TAG: Final = tuple(_CONTENT.get(tag, 0) for tag in TAG_NAMES)
"""What an element of each tag is to its box."""


def box_features(signals: Signals, columns: Columns) -> Iterator[float]:
    """Yields the values of `BOX_FEATURES`: of each kind of box the greatest number beside each other (as a logarithm),
    and the greatest share of the page's words that such boxes have. `columns` are the page's runs."""
    elements = signals.page.elements
    contents, words = _own_contents(elements.tag, columns)
    numbers, most_words = _repeated_boxes(elements.parent, elements.tag, contents, words)
    yield from map(log1p, numbers)
    total = max(signals.page_words, 1)
    yield from (number / total for number in most_words)


def _own_contents(tag: Sequence[int], columns: Columns) -> tuple[list[int], list[int]]:
    """Returns what each element itself contains, without the elements in it, and its number of words."""
    c = columns
    contents, words = [_OF_TAG[one] for one in tag], [0] * len(tag)
    for number, linked_words, element in zip(c.words, c.linked, c.elements, strict=True):
        words[element] += number
        if number >= TEXT_WORDS and linked_words * 3 < number:
            contents[element] |= TEXT
    for run in c.with_digit:
        if c.prices and has_price(c.texts[run]):
            contents[c.elements[run]] |= PRICE
        if _YEAR_OR_TIME.search(c.texts[run]):
            contents[c.elements[run]] |= DATE
    return contents, words


def _repeated_boxes(
    parent: Sequence[int], tag: Sequence[int], contents: list[int], words: list[int]
) -> tuple[list[int], list[int]]:
    """Returns for each kind of box the greatest number of such elements beside each other (with the same parent and
    tag), and their most words. Fewer than `MIN_BOXES` are not counted. An element without words is no box.

    `contents` and `words` are those of each element itself; those of the elements in it are added to them.
    """
    for element in range(len(parent) - 1, 0, -1):
        above = parent[element]
        if above >= 0:
            contents[above] |= contents[element]
            words[above] += words[element]
    beside: dict[tuple[int, int], list[int]] = {}
    for element, place in enumerate(zip(parent, tag, strict=True)):
        if contents[element] and words[element]:
            beside.setdefault(place, []).append(element)
    boxes = {
        content: [box for box, needed in enumerate(_WANTED) if content & needed == needed] for content in set(contents)
    }
    numbers, most_words = [0] * len(_WANTED), [0] * len(_WANTED)
    for group in beside.values():
        if len(group) < MIN_BOXES:
            continue
        found: dict[int, list[int]] = {}
        for element in group:
            for box in boxes[contents[element]]:
                found.setdefault(box, []).append(words[element])
        for box, of_box in found.items():
            if len(of_box) >= MIN_BOXES:
                numbers[box] = max(numbers[box], len(of_box))
                most_words[box] = max(most_words[box], sum(of_box))
    return numbers, most_words


PATH_STEPS: Final = 5
"""Tags of the path by which headings and times are compared: those at the same place of repeated boxes have equal
paths."""
COMPARED: Final = {
    "headings": (("h2", "h3", "h4", "h5"), 0),
    "articles": (("article",), 1),
    "times": (("time",), 0),
    "items": (("li",), 1),
    "rows": (("tr",), 1),
    "sections": (("section",), 1),
    "links": (("a",), 2),
}
"""What is compared: its tags, and which element above has to be the same one (1 is the parent), 0 for equal paths."""
_GROUP_OF_TAG: Final = {tag: group for group, (tags, _) in enumerate(COMPARED.values(), 1) for tag in tags}
_GROUPS: Final = tuple(_GROUP_OF_TAG.get(tag, 0) for tag in TAG_NAMES)
"""The number of each tag's group, 0 for tags that are not compared."""
_ABOVE: Final = tuple(above for _, above in COMPARED.values())


def equal_places(parent: Sequence[int], tag: Sequence[int]) -> list[int]:
    """Returns for each group of tags, in their order, the greatest number of elements at the same place."""
    places: list[Counter[int | tuple[int, ...]]] = [Counter() for _ in _ABOVE]
    for element, code in enumerate(tag):
        if not (group := _GROUPS[code]):
            continue
        levels = _ABOVE[group - 1]
        places[group - 1][_above(element, parent, levels) if levels else _path(element, parent, tag)] += 1
    return [max(found.values(), default=0) for found in places]


def _above(element: int, parent: Sequence[int], levels: int) -> int:
    for _ in range(levels):
        if element != NO_PARENT:
            element = parent[element]
    return element


def _path(element: int, parent: Sequence[int], tag: Sequence[int]) -> tuple[int, ...]:
    path: list[int] = []
    while element != NO_PARENT and len(path) < PATH_STEPS:
        path.append(tag[element])
        element = parent[element]
    return tuple(path)


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
