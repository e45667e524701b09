"""Decides by the model whether a page that the rules accept as an article is of another kind, and says which measures
are evidence for it.

One long text needs neither the model nor a look at the rest of the page.

The model has weights of words, an ensemble of boosted trees for each kind, and the probabilities.

Words are names of elements, statements, the address, and English text. Each is a text with the place where it was
found: `name:cart`, `path:threads`, `label:add to cart`. The model has a weight for those that training chose; all
others count nothing. Class names and addresses are mostly English in every language. Words of the text are only read
where the text is English, so other languages lose nothing.

The words of a page have weights for each kind, those of a logistic regression. Their sums, by group and of
all groups, are scores. The scores are features of the trees beside the measures of structure, and the scores of all
words are averaged with those of the trees (`WORDS_SHARE`): trees are better at measures and at combinations of them, a
sum is better at hundreds of words that say a little each. A row without scores (`NO_SCORES`) is judged by the trees
alone.

Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29 (2001), section 4.6:
each kind has trees whose leaves add up to a score, and the softmax of the scores is the probability of each kind. The
trees are evaluated in plain Python: a page is one row, and the worker processes of `classic` do not load numpy.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from itertools import chain
from math import exp, expm1, fsum, log1p, sqrt
from typing import Final, cast
from urllib.parse import urlsplit

from newscrawl.extraction.article.page_kinds.counts import longest_block
from newscrawl.extraction.article.page_kinds.features import (
    KIND_FEATURES,
    SCHEMA_TYPES,
    SOFTWARE,
    kind_features,
    names_forum,
    names_other_kind,
)
from newscrawl.extraction.article.signals import ARTICLE_OG, Signals
from newscrawl.extraction.confidence import Tree, score_trees
from newscrawl.extraction.language import declared_language, sample_text, speaks
from newscrawl.model import Verdict
from newscrawl.page.run import HEADING
from newscrawl.page.tags import TAG_NAMES

GROUPS: Final = ("names", "address", "links", "English words")
"""The groups of words. The model has a score of each kind for each group."""
MANY: Final = 8
"""Elements with a name from which on the page also has the word `many:NAME`."""
OFTEN: Final = 0.01
"""The share of a text's words from which on it also has the word `often:WORD`."""
LABEL_WORDS: Final = 6
"""Most words of a run that is a label or a button."""
PHRASE_WORDS: Final = (2, 4)
"""Fewest and most words of a label that counts as a phrase, too."""
SENTENCE_WORDS: Final = 8
"""Least words of a run whose words count as text."""
MAX_TEXT: Final = 2_000
"""Characters of a run that are read."""
MAX_ADDRESS: Final = 200
"""Characters of a link's address that are read."""
MAX_WORD: Final = 20
"""Characters of a word that are kept."""

_TEMPLATES: Final = frozenset(TAG_NAMES.index(tag) for tag in ("html", "body", "main", "article"))
"""Elements whose classes name the template of the page in many content systems: `single-post`, `page-template-landing`.
Their classes are also kept whole."""
_DIGITS: Final = re.compile(r"\d+")
_REST: Final = re.compile(r"/wp/v2/([a-z_-]{2,20})")
"""The kind of content that a head of WordPress links to."""
_NAMES: Final = ("class", "id", "itemprop", "role", "rel", "type")
_NO_OTHERS: Final = (None,) * len(_NAMES[2:])
_NAME_WORDS: Final = re.compile(r"[A-Za-z][a-z]{2,13}|[A-Z]{3,14}")
_WORDS: Final = re.compile(r"[a-z']+")
_ADDRESS_WORDS: Final = re.compile(r"[a-z]{2,20}")


def words_of(signals: Signals) -> dict[str, frozenset[str]]:
    """Returns the page's words by group. Takes time in proportion to the page's size."""
    return {
        "names": frozenset((*_names(signals), *_statement_words(signals))),
        "address": frozenset(_address(signals)),
        "links": frozenset(_link_words(signals)),
        "English words": frozenset(_english(signals)) if is_english(signals) else frozenset(),
    }


def is_english(signals: Signals) -> bool:
    """Returns whether the page's text is English without doubt. Tests its stop words; loads no model."""
    return declared_language(signals.page) in {"", "en"} and speaks(sample_text(signals.page), "en")


def _names(signals: Signals) -> Iterator[str]:
    """The words of classes and ids, and other names of elements."""
    read, tags = signals.page.elements.reader(), signals.page.elements.tag
    named: Counter[str] = Counter()
    stated: set[tuple[str, str | None]] = set()
    for element in range(len(signals.page.elements)):
        values = read(element, _NAMES)
        if values is None:
            continue
        classes, identity, others = values[0], values[1], values[2:]
        if classes:
            named[classes] += 1
            if tags[element] in _TEMPLATES:
                yield from _templates(TAG_NAMES[tags[element]], classes)
        if identity:
            named[identity] += 1
        if others != _NO_OTHERS:
            stated.update(zip(_NAMES[2:], others, strict=True))
    yield from (f"{key}:{value.lower()[:MAX_WORD]}" for key, value in stated if value)
    counts: Counter[str] = Counter()
    for name, number in named.items():
        for word in {word.lower() for word in _NAME_WORDS.findall(name[:MAX_TEXT])}:
            counts[word] += number
    for word, number in counts.items():
        yield f"name:{word}"
        if number >= MANY:
            yield f"many:{word}"


def _statement_words(signals: Signals) -> Iterator[str]:
    """The names of what the head and JSON-LD state."""
    for key in signals.page.head.contents:
        yield f"meta:{key[: 2 * MAX_WORD]}"
    for link in signals.page.head.links:
        yield f"rel:{link.rel[: 2 * MAX_WORD]}"
        if content := _REST.search(link.href):
            yield f"rest:{content[1]}"
    yield from (f"type:{kind[: 2 * MAX_WORD]}" for kind in signals.top_types)


def _templates(tag: str, classes: str) -> Iterator[str]:
    """The classes of an element, each whole and without its numbers."""
    for name in classes[:MAX_TEXT].lower().split():
        yield f"{tag}:{_DIGITS.sub('', name)[: 2 * MAX_WORD]}"


def _address(signals: Signals) -> Iterator[str]:
    parts = urlsplit(signals.url or "")
    path = parts.path.lower()
    for word in _ADDRESS_WORDS.findall(path):
        yield f"path:{word}"
    for word in _ADDRESS_WORDS.findall("/".join(path.rstrip("/").split("/")[:-1])):
        yield f"folder:{word}"
    for word in _ADDRESS_WORDS.findall(parts.netloc.lower().rpartition(".")[0]):
        yield f"host:{word}"
    for part in filter(None, parts.query.lower().split("&")):
        yield f"query:{part.partition('=')[0][:MAX_WORD]}"


def _link_words(signals: Signals) -> Iterator[str]:
    """The words of the paths and hosts that the page's links lead to, and those of many links."""
    own = signals.host
    counts: Counter[str] = Counter()
    for href in set(signals.hrefs):
        address = href[:MAX_ADDRESS].lower()
        host, path = "", address
        if address.startswith(("http://", "https://", "//")):
            host, _, path = address.partition("//")[2].partition("/")
        if host and host != own:
            yield f"to:{host.removeprefix('www.')[: 2 * MAX_WORD]}"
        counts.update(set(_ADDRESS_WORDS.findall(path)))
    for word, number in counts.items():
        yield f"link:{word}"
        if number >= MANY:
            yield f"links:{word}"


def _english(signals: Signals) -> Iterator[str]:
    """The words of the title, of labels and phrases, of headings and of the text.

    The runs of a sort are searched as one text, a line each, which takes less time than a search in each. No word is
    longer than its line.
    """
    labels, headings, sentences = [], [], []
    for text, words, _, _, _, flags, *_ in signals.page.runs:
        if words <= LABEL_WORDS:
            labels.append(text[:MAX_TEXT])
        elif words >= SENTENCE_WORDS:
            sentences.append(text[:MAX_TEXT])
        if flags & HEADING:
            headings.append(text[:MAX_TEXT])
    for place, texts in (("title", [signals.page.head.title or ""]), ("label", labels), ("heading", headings)):
        for word in set(_WORDS.findall("\n".join(texts).lower())):
            yield f"{place}:{word}"
    for label in set(labels):
        words_of_label = _WORDS.findall(label.lower())
        if PHRASE_WORDS[0] <= len(words_of_label) <= PHRASE_WORDS[1]:
            yield f"label:{' '.join(words_of_label)}"
    counted = Counter(_WORDS.findall("\n".join(sentences).lower()))
    yield from (f"text:{word}" for word in counted)
    least = max(MANY, OFTEN * counted.total())
    yield from (f"often:{word}" for word, number in counted.items() if number >= least)


WEIGHTS_FILE: Final = "kinds.json"
ARTICLE: Final = "article"
LISTING: Final = "listing"
SERVICE: Final = "service"
LISTED: Final = "listed"
"""The name of the limit for pages that a feed or news sitemap lists."""
BARE: Final = "bare"
"""The name of the limit for pages that have nothing an article has (`is_bare`)."""
MIN_BLOCK: Final = 100
"""Least words of a block of prose that an article has. Of 1,158 articles that the model judges, 23 have nothing that an
article has by this measure; of 464 other pages 114."""
MIN_TEXT: Final = 150
"""Least words of a text that is not short. Of 23 bare articles that the model judges 14 have fewer, and of 114 bare
pages of other kinds 72. With 60 words, the least of a text that is extracted, 38 of those are short."""
FORM_LABELS: Final = 3
"""Least labels of a form on a page that exists for this form."""
FORM_HEADLINES: Final = 3
"""Most links like headlines on a page that exists for a form. A listing has more."""
SHORT: Final = "short"
"""The name of the limit for bare pages with a short text."""
LEARNED: Final = ("article", "documentation", "forum", "listing", "product", "service")
"""The kinds that the model tells apart, in the order of a word's weights."""
SCORES: Final = (
    *(f"{group} of {kind}" for group in GROUPS for kind in LEARNED),
    *(f"all words of {kind}" for kind in LEARNED),
)
"""The names of the scores: of each group of words, then of all words, for each kind."""
ROW_FEATURES: Final = (*KIND_FEATURES, *SCORES)
"""The names of the features, in the order of a row with scores."""
_HOME, _DATE, _AUTHORS, _BLOCK, _TEXT = map(
    KIND_FEATURES.index, ("url home", "any date", "authors", "longest block of prose", "text words")
)
_FIELDS, _LABELS, _HEADLINES = map(KIND_FEATURES.index, ("<textarea>", "<label>", "links like headlines"))
NO_SCORES: Final = (0.0,) * len(SCORES)
"""The scores of a page without words."""
WORDS_SHARE: Final = 0.4
"""The share of the scores of all words in the score of a kind; the rest is that of the trees. In cross-validation,
with limits that lose five articles, .70 of the other pages that the model decides are found with 0.3, .73 with 0.4 and
0.5, .67 by the trees alone and .64 by the words alone (means over the kinds)."""
_ALL_WORDS: Final = ROW_FEATURES.index(f"all words of {LEARNED[0]}")
ROUNDING: Final = 1e-9
"""More than the error of a logarithm."""
_ZEROS: Final = (0.0,) * len(LEARNED)
WordWeights = Mapping[str, Mapping[str, Sequence[float]]]
"""The weights of words for the kinds, by group and word."""


def is_bare(row: Sequence[float]) -> bool:
    """Returns whether a page has nothing that an article has: a front page, or a page without a date, an author and a
    block of prose."""
    has_nothing = not row[_DATE] and not row[_AUTHORS] and row[_BLOCK] < log1p(MIN_BLOCK)
    return has_nothing or bool(row[_HOME])


def is_form(row: Sequence[float]) -> bool:
    """Returns whether a page exists for a form: it has a text field, labels, and hardly any links like headlines. Pages
    for a job or an event often have little else."""
    has_form = row[_FIELDS] > 0 and row[_LABELS] >= log1p(FORM_LABELS) - ROUNDING
    return has_form and row[_HEADLINES] <= log1p(FORM_HEADLINES) + ROUNDING


def limit_of(row: Sequence[float], kind: str) -> str:
    """Returns the name of the limit for a page whose likeliest other kind is `kind`."""
    if not is_bare(row):
        return kind
    return SHORT if row[_TEXT] < log1p(MIN_TEXT) else BARE


@dataclass(frozen=True, slots=True)
class KindModel:
    """The trees of every kind, each kind's score before any tree, the weights of words, and the limits."""

    base: Mapping[str, float]
    trees: Mapping[str, Sequence[Tree]]
    words: WordWeights
    limits: Mapping[str, float] = field(default_factory=dict)
    """The probability of an article below which a page is no article, by the likeliest other kind. For a page that
    has nothing an article has, it is that of `BARE`, or of `SHORT`. For a page that a feed or news sitemap lists, which
    is nearly always an article, it is that of `LISTED`."""

    def scores(self, words: Mapping[str, Collection[str]]) -> tuple[float, ...]:
        """Returns the values of `SCORES`: the sums of the weights of a page's words.

        The sum of a group is divided by the square root of the number of its known words, so that a long page has no
        higher scores than a short one.
        """
        of_groups: list[tuple[float, ...]] = []
        for group in GROUPS:
            known = self.words[group]
            weights = [known[word] for word in words[group] if word in known]
            length = sqrt(len(weights))
            of_groups.append(tuple(fsum(of_kind) / length for of_kind in zip(*weights, strict=True)) or _ZEROS)
        return (*chain.from_iterable(of_groups), *map(fsum, zip(*of_groups, strict=True)))

    def decide(self, row: Sequence[float], probabilities: Mapping[str, float], *, is_listed: bool) -> str | None:
        """Returns the kind of a page that is no article, given its row and `probabilities`; None if it may be an
        article. A page that exists for a form is no listing."""
        kind = max(LEARNED[1:], key=probabilities.__getitem__)
        limit = self.limits[LISTED if is_listed else limit_of(row, kind)]
        if probabilities[ARTICLE] >= limit:
            return None
        return SERVICE if kind == LISTING and is_form(row) else kind

    def probabilities(self, row: Sequence[float], words_share: float = 0.0) -> dict[str, float]:
        """Returns the probability of every kind for a row of `ROW_FEATURES`. They add up to 1.

        `words_share` is the share of the scores of all words, 0 for a row without scores.
        """
        scores = {kind: self.base[kind] + score_trees(trees, row) for kind, trees in self.trees.items()}
        if words_share:
            of_words = dict(zip(LEARNED, row[_ALL_WORDS:], strict=True))
            scores = {kind: (1 - words_share) * score + words_share * of_words[kind] for kind, score in scores.items()}
        highest = max(scores.values())
        powers = {kind: exp(score - highest) for kind, score in scores.items()}
        total = sum(powers.values())
        return {kind: power / total for kind, power in powers.items()}


@cache
def load() -> KindModel:
    """Returns the model in the package; it is read once a process."""
    return unpack((files("newscrawl.extraction.article.page_kinds") / WEIGHTS_FILE).read_text(encoding="ascii"))


def unpack(text: str) -> KindModel:
    """Returns a model from the text of its file. Raises ValueError if it was trained with other features."""
    stored = json.loads(text)
    if tuple(stored["features"]) != ROW_FEATURES:
        raise ValueError(f"{WEIGHTS_FILE} has other features than this version: train it again")
    trees = {kind: tuple(of_kind) for kind, of_kind in stored["trees"].items()}
    return KindModel(stored["base"], trees, stored["words"], stored["limits"])


def pack(model: KindModel) -> str:
    """Returns the text of a model's file, a tree or word a line. Equal models give equal texts."""
    lines = [f'"features": {json.dumps(ROW_FEATURES)}', f'"base": {json.dumps(dict(model.base))}']
    lines.append(f'"limits": {json.dumps(dict(model.limits))}')
    trees = (f"{json.dumps(kind)}: {_lines(of_kind, '[]')}" for kind, of_kind in model.trees.items())
    lines.append('"trees": {\n' + ",\n".join(trees) + "\n}")
    groups = (f"{json.dumps(group)}: {_lines(weights, '{}')}" for group, weights in model.words.items())
    return "{" + ",\n".join([*lines, '"words": {\n' + ",\n".join(groups) + "\n}"]) + "}\n"


def _lines(values: Sequence[object] | Mapping[str, object], ends: str) -> str:
    """The values of a list or object as JSON, each on a line."""
    packed = partial(json.dumps, separators=(",", ":"))
    if isinstance(values, Mapping):
        lines = [f"{packed(key)}:{packed(value)}" for key, value in sorted(values.items())]
    else:
        lines = [packed(value) for value in values]
    return ends[0] + "\n" + ",\n".join(lines) + "\n" + ends[1]


SURE: Final = 0.9
"""The least probability, by structure alone, with which a page is an article without a look at its words."""
MIN_RUNS: Final = 15
"""Least number of runs of a page that is judged. A smaller one shows no structure."""


def is_declared(signals: Signals) -> bool:
    """Returns whether structured data declares an article and no thread of a forum. Such a page is taken for an
    article: of 1,510 articles 759 declare it, of 574 other pages 11."""
    return signals.declares_article and signals.types.isdisjoint(SCHEMA_TYPES["forum"])


def is_stated(signals: Signals) -> bool:
    """Returns whether a page declares a date, an author and the og:type of an article, and its address names no forum.

    Such a page is an article without a look at its structure. Of 1,543 pages that the model would be asked about (every
    second page of all corpora), 230 are such pages; the model calls none of them another kind.
    """
    states = signals.dated and signals.og_type in ARTICLE_OG and bool(signals.metadata.authors)
    return states and not (signals.url and names_forum(signals.url))


def is_judged(signals: Signals) -> bool:
    """Returns whether the model is asked about a page that the rules accept as an article."""
    if len(signals.page.runs) < MIN_RUNS or is_declared(signals) or is_stated(signals):
        return False
    return not is_one_text(signals)


def judged_row(
    model: KindModel, measured: Sequence[float], words: Callable[[], Mapping[str, Collection[str]]]
) -> tuple[tuple[float, ...], dict[str, float]]:
    """Returns the page's row of ROW_FEATURES and the probability of every kind. `measured` is its row of KIND_FEATURES.

    Reading the `words` of a page takes longer than measuring its structure. So a page that is an article by its
    structure (`SURE`) has no scores.
    """
    row = (*measured, *NO_SCORES)
    probabilities = model.probabilities(row)
    if probabilities[ARTICLE] >= SURE:
        return row, probabilities
    row = (*measured, *model.scores(words()))
    return row, model.probabilities(row, WORDS_SHARE)


def other_kind(signals: Signals, *, is_listed: bool = False) -> tuple[Verdict, tuple[str, ...], float] | None:
    """Returns the kind of a page that is almost certainly no article, the evidence, and the probability that it is no
    article; None if it may be one.

    `is_listed` says that a feed or news sitemap lists the page as an article.
    """
    if not is_judged(signals):
        return None
    model = load()
    row, probabilities = judged_row(model, kind_features(signals), partial(words_of, signals))
    kind = model.decide(row, probabilities, is_listed=is_listed)
    if kind is None:
        return None
    found = evidence(kind, dict(zip(ROW_FEATURES, row, strict=True)))
    probability = 1 - probabilities[ARTICLE]
    stated = f"{probability:.1%} certain by its structure that it is no article"
    return cast("Verdict", kind), (stated, *found), probability


MIN_WORDS: Final = 150
"""Least words of the block of prose. With 100 and 200 words 1,104 and 890 of the 2,169 articles are recognized."""
MIN_SHARE: Final = 0.5
"""Least share of the text that the block has."""
MAX_LEFT_OUT: Final = 0.2
"""Largest share of the runs from the start to the end of the text that are not part of it."""
_CODE: Final = tuple(TAG_NAMES.index(tag) for tag in ("code", "pre"))
_OTHER_TYPES: Final = frozenset(
    name for kind, names in SCHEMA_TYPES.items() if kind not in {"article", "page"} for name in names
)


def is_one_text(signals: Signals) -> bool:
    """Returns whether a page has a date and one long block of prose as its text, and nothing names another kind.

    Such a page is an article without a look at its structure. The model would be asked about 2,169 articles and 466
    other pages of all corpora. Of these, 1,011 articles and 2 other pages are such pages; the model would recognize one
    of the 2.
    """
    if signals.metadata.published is None or not _has_block(signals):
        return False
    if signals.url and names_other_kind(signals.url):
        return False
    generator = signals.page.head.first("generator") or ""
    if any(pattern.search(generator) for pattern in SOFTWARE.values()) or signals.all_types & _OTHER_TYPES:
        return False
    tags = bytes(signals.page.elements.tag)
    return not any(code in tags for code in _CODE)


def _has_block(signals: Signals) -> bool:
    """Returns whether at least half of the text is one block of prose, and hardly anything within it was left out."""
    kept = signals.extraction.runs
    if not kept or signals.words < MIN_WORDS:
        return False
    first, end = kept[0], kept[-1] + 1
    if len(kept) < (1 - MAX_LEFT_OUT) * (end - first):
        return False
    span = [(run.words, run.linked_words, run.flags) for run in signals.page.runs[first:end]]
    return longest_block(span) >= max(MIN_WORDS, MIN_SHARE * signals.words)


MAX_EVIDENCE: Final = 4
"""Largest number of measures that are named for one page."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A measure that is evidence from a least value on, and its description with the value in it."""

    feature: str
    least: float
    description: str
    value: Callable[[float], float] = expm1
    """Turns the feature back into what it measures: counts are logarithms of 1 + count."""


def _as_is(value: float) -> float:
    return value


def _stated(feature: str, description: str) -> Sign:
    return Sign(feature, 1.0, description, _as_is)


def _count(feature: str, least: int, description: str) -> Sign:
    return Sign(feature, least, description)


def _share(feature: str, least: float, description: str) -> Sign:
    return Sign(feature, least, description, _as_is)


SIGNS: Final[Mapping[str, tuple[Sign, ...]]] = {
    "listing": (
        _stated("type listing", "its structured data declares a listing"),
        _stated("url home", "its address is a site's front page"),
        _stated("url word listing", "its address has a word of listings"),
        _count("linked headings", 3, "{:.0f} linked headings"),
        _count("links like headlines", 8, "{:.0f} links like headlines"),
        _count("articles side by side", 4, "{:.0f} article elements side by side"),
        _count("headings at the same place", 6, "{:.0f} headings at the same place of repeated boxes"),
        _share("linked share", 0.4, "{:.0%} of its words are linked"),
    ),
    "product": (
        _stated("type product", "its structured data declares a product"),
        _stated("og:type product", "its og:type is a product"),
        _stated("price in the head", "its head states a price"),
        _stated("software shop", "it is made by shop software"),
        _stated("url word product", "its address has a word of shops"),
        _count("prices", 2, "{:.0f} prices"),
        _count("<button>", 4, "{:.0f} buttons"),
    ),
    "forum": (
        _stated("type forum", "its structured data declares a thread or question"),
        _stated("software forum", "it is made by forum software"),
        _stated("url word forum", "its address has a word of forums"),
        _stated("host word forum", "its host has a word of forums"),
        _count("times at the same place", 3, "{:.0f} times at the same place of repeated posts"),
        _count("articles side by side", 3, "{:.0f} posts side by side"),
        _count("questions", 4, "{:.0f} questions"),
    ),
    "documentation": (
        _stated("type documentation", "its structured data declares documentation"),
        _stated("software documentation", "it is made by documentation software"),
        _stated("url word documentation", "its address has a word of documentation"),
        _stated("host word documentation", "its host has a word of documentation"),
        _count("<pre>", 2, "{:.0f} blocks of code"),
        _count("<code>", 5, "{:.0f} pieces of code"),
        _share("text in lists", 0.3, "{:.0%} of its text is in lists"),
    ),
    "service": (
        _stated("type service", "its structured data declares a service, place, job or event"),
        _stated("url home", "its address is a site's front page"),
        _stated("url word service", "its address has a word of services"),
        _count("<form>", 2, "{:.0f} forms"),
        _count("headings at the same place", 4, "{:.0f} headings at the same place of repeated boxes"),
        _share("labels within the text", 0.4, "{:.0%} of the runs within the text are labels"),
        _share("left out within the text", 0.4, "{:.0%} of the runs within the text were left out of it"),
    ),
}
"""The evidence for each kind, strongest first."""
MISSING: Final = (
    ("any date", "it has no date"),
    ("authors", "it names no author"),
)
"""What articles have, and the description of a page without it."""


def evidence(kind: str, measured: Mapping[str, float]) -> tuple[str, ...]:
    """Returns the evidence for `kind`, given a page's features by name; at most `MAX_EVIDENCE` pieces."""
    found = [
        sign.description.format(value)
        for sign in SIGNS[kind]
        if (value := sign.value(measured[sign.feature])) >= sign.least - 1e-9
    ]
    found += [description for feature, description in MISSING if not measured[feature]]
    return tuple(found[:MAX_EVIDENCE])
