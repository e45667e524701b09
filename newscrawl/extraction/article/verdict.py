"""Decides what a page is, from its statements, its HTML and its extracted text, and gives the evidence.

Precision comes first: a page is an article unless there is strong evidence against it. Most evidence is not looked for
if the page's structured data declares an article. The rules here are for pages that are not the complete text of one
article: bot walls, consent pages, errors answered with status 200, listings, videos, live blogs, paywalled articles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from newscrawl.discovery.links.article_urls import is_home, looks_like_article
from newscrawl.extraction.article.page_kinds.judge import other_kind
from newscrawl.extraction.article.signals import HEADLINE_WORDS, NOTICE_WORDS, Signals, bare_words
from newscrawl.extraction.article.verdict_rules import NamedRule
from newscrawl.extraction.chain import SHORT
from newscrawl.extraction.cleanup.cues import read_phrases
from newscrawl.extraction.cleanup.within import PAYWALL_TEXTS
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.metadata.live_entries import shown_entries, states_updates
from newscrawl.model import SPEAKS_OF_ERROR, Verdict
from newscrawl.model.word_lists import read_sections
from newscrawl.page import TextRun
from newscrawl.page.run import TOP_HEADING
from newscrawl.page.words import count_words_until

WALL_PAGE_WORDS: Final = 250
"""Most words of a bot wall. This and the numbers below were chosen on pages written for the tests, such that no article
of the development corpora is lost (docs/explanation/verdicts.md)."""
WALL_BARE_WORDS: Final = 60
"""A page with at most this many words and the title of a bot wall needs no further evidence."""
MISSING_TITLE_WORDS: Final = 250
"""Most words of text below a title that says "not found"; they may be teasers of other articles."""
MISSING_TEXT_WORDS: Final = 60
"""Most words of text of a missing page that is recognized only by its sentences."""
CONSENT_SHARE: Final = 0.6
"""Least share of the text's characters in paragraphs with at least `CONSENT_PARAGRAPH_STEMS` stems."""
CONSENT_PARAGRAPH_STEMS: Final = 2
CONSENT_STEMS_OF_TEXT: Final = 3
CONSENT_WORDS: Final = 1500

_WALL_TITLES: Final = read_phrases(__file__, "phrases/wall_titles.txt")
_WALL_TEXTS: Final = read_phrases(__file__, "phrases/wall_texts.txt")
_CONSENT_TITLES: Final = read_phrases(__file__, "phrases/consent_titles.txt")
_CONSENT_BUTTONS: Final = read_phrases(__file__, "phrases/consent_buttons.txt")
_MISSING_TITLES: Final = read_phrases(__file__, "phrases/missing_titles.txt")
_MISSING_TEXTS: Final = read_phrases(__file__, "phrases/missing_texts.txt")
_STEMS: Final = read_sections(__file__, "phrases/consent_stems.txt")
_CONSENT_STEMS: Final = re.compile(
    "|".join(["(?:we|our)(?: and our)? (?:[0-9]+ )?(partners)", *(f"({'|'.join(stem)})" for stem in _STEMS.values())])
)
"""The vocabulary of consent. Every group is one stem."""
_WALL_MARKS: Final = re.compile(
    r"\bcf-(?:challenge|browser-verification|error-details|turnstile|wrapper)|challenge-(?:form|running|stage|error)|"
    r"px-captcha|h-captcha|g-recaptcha|recaptcha-challenge|captcha-(?:box|container|form)|ddg-captcha|datadome|"
    r"distilidentificationblock|sec-cpt|aws-waf|amzn-captcha"
)
_CONSENT_HOSTS: Final = re.compile(r"^(?:consent|cookies?|privacy|myprivacy|guce|cmp)\.")
_CONSENT_PATHS: Final = frozenset(
    "consent privacy-gate privacygate cookiewall cookie-wall cookie-consent collectconsent privacywall".split()
)
_COMMON_STEMS: Final = ("cookie", "consen", "zustimm", "einwillig", "toestemm", "zgod", "согласи", "samt", "partner")
"""Every text about consent contains one of these, and searching for them is cheap."""
_TITLE_WORD: Final = re.compile(r"\w{4,}")


def bot_wall(signals: Signals) -> Iterator[str]:
    """Yields the evidence for a bot wall: few words, and two of title, sentence and mark-up of a challenge."""
    if signals.page_words > WALL_PAGE_WORDS or signals.declares_article or signals.dated:
        return
    titles = sorted(signals.titles & _WALL_TITLES)
    sentences = _sentences(signals, _WALL_TEXTS)
    mark = signals.marks(_WALL_MARKS)
    bare = bool(titles) and signals.page_words <= WALL_BARE_WORDS
    if bool(titles) + min(len(sentences), 2) + bool(mark) < 2 and not bare:
        return
    yield from (f"titled {title!r}" for title in titles[:1])
    yield from (f"says {sentence!r}" for sentence in sentences[:2])
    if mark:
        yield f"holds {mark!r}"
    yield f"{signals.page_words} words on the page"


def soft_404(signals: Signals) -> Iterator[str]:
    """Yields the evidence for a missing page: its title says so, or its few sentences do."""
    if signals.words > MISSING_TITLE_WORDS or signals.declares_article or signals.dated:
        return
    titles = sorted(signals.titles & _MISSING_TITLES)
    if titles:
        yield f"titled {titles[0]!r}"
        yield f"{signals.words} words of text"
    elif signals.words <= MISSING_TEXT_WORDS and signals.og_type != "article":
        sentences = _sentences(signals, _MISSING_TEXTS)
        if sentences:
            yield f"says {sentences[0]!r}"
            yield f"{signals.words} words of text"


def spoken_error(title: str | None, text: str) -> str | None:
    """Returns the problem of an article whose title or few words are those of a wall or a missing page; None if it has
    none. The page is an article all the same: it declares one, or there is too little evidence."""
    if count_words_until(text, WALL_PAGE_WORDS) > WALL_PAGE_WORDS:
        return None
    words, named = f" {bare_words(text)} ", bare_words(title).strip()
    said = named if named in _WALL_TITLES | _MISSING_TITLES else None
    said = said or min((phrase for phrase in _WALL_TEXTS | _MISSING_TEXTS if phrase in words), default=None)
    return None if said is None else f"{SPEAKS_OF_ERROR}: {said.strip()!r}"


def consent(signals: Signals) -> Iterator[str]:
    """Yields the evidence that a page asks for consent, or that only its consent banner could be read."""
    if signals.words > CONSENT_WORDS:
        return
    text = signals.extraction.text.casefold()
    if not any(stem in text for stem in _COMMON_STEMS):
        return
    has_title_word = _title_words_in_text(signals, text)
    if signals.states_article and has_title_word:
        return
    title = next(iter(sorted(signals.titles & _CONSENT_TITLES)), None)
    address = bool(_CONSENT_HOSTS.match(signals.host)) or not signals.segments.isdisjoint(_CONSENT_PATHS)
    if has_title_word and not title and not address:
        return
    share, stems = consent_share(signals)
    if stems < CONSENT_STEMS_OF_TEXT or share < CONSENT_SHARE:
        return
    button = next((run for run in signals.notices.split("\n") if run in _CONSENT_BUTTONS), None)
    if not title and not address and button is None:
        return
    yield f"{share:.0%} of the text speaks of consent ({stems} stems)"
    if title:
        yield f"titled {title!r}"
    if address:
        yield "its address is a consent page's"
    if button:
        yield f"has a button {button!r}"
    if not has_title_word:
        yield "the text has no word of the title"


def consent_share(signals: Signals) -> tuple[float, int]:
    """Returns the share of the text's characters in paragraphs about consent, and the number of distinct stems in the
    text."""
    speaking = characters = 0
    stems: set[int] = set()
    for run in signals.runs():
        in_run = {match.lastindex or 0 for match in _CONSENT_STEMS.finditer(bare_words(run.text))}
        stems |= in_run
        characters += len(run.text)
        speaking += len(run.text) if len(in_run) >= CONSENT_PARAGRAPH_STEMS else 0
    return speaking / max(characters, 1), len(stems)


def _title_words_in_text(signals: Signals, text: str) -> bool:
    """Returns whether the casefolded text has a specific word of the title: no site name and no word about consent."""
    title = bare_words(signals.metadata.title or signals.page.head.title)
    site = bare_words(signals.metadata.site_name)
    words = {w for w in _TITLE_WORD.findall(title) if w not in site and not _CONSENT_STEMS.search(w)}
    words = {w for w in words if w not in _CONSENT_WORDS and w not in signals.host}
    return any(_holds_word(text, word) for word in words)


def _holds_word(text: str, word: str) -> bool:
    """Returns whether `text` contains `word` as a whole word. Compiling a pattern for each word would cost more than
    the search."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            return True
        start = text.find(word, end)
    return False


_CONSENT_WORDS: Final = frozenset(word for title in _CONSENT_TITLES for word in title.split())


def _sentences(signals: Signals, phrases: frozenset[str]) -> list[str]:
    """The phrases of `phrases` in the page. Callers check small pages and texts only."""
    whole = f" {bare_words(' '.join(run.text for run in signals.page.runs[:MAX_RUNS]))} "
    return sorted(phrase for phrase in phrases if phrase in whole)


MAX_RUNS: Final = 400
"""Runs that are searched for sentences, which walls and error pages have at their start."""

ARTICLES: Final[frozenset[Verdict]] = frozenset({"article", "live", "paywalled", "short"})
"""Verdicts of pages that have the text of an article, completely or in part."""

MODELLED: Final[frozenset[Verdict]] = frozenset({"article", "short", "empty"})
"""Verdicts of the rules after which the model of kinds is asked: the others have evidence of their own. A page without
text may be a listing."""


@dataclass(frozen=True, slots=True)
class VerdictWithEvidence:
    """A verdict and its evidence. An ordinary article has no evidence."""

    verdict: Verdict
    evidence: tuple[str, ...] = ()
    rule: str = ""
    """The name of the user's rule that decided that the page is no article; "" if none did."""
    probability: float | None = None
    """The probability that the page is no article, if the model of kinds decided; None if a rule did."""

    @property
    def name(self) -> str:
        """The rule's name if a rule decided, else the verdict."""
        return self.rule or self.verdict

    @property
    def is_article(self) -> bool:
        """Whether the page has the text of an article, at least in part."""
        return self.is_kept(ARTICLES)

    def is_kept(self, kinds: Collection[str]) -> bool:
        """Returns whether the page is stored by an operator who keeps these kinds (NEWSCRAWL_KINDS)."""
        return not self.rule and self.verdict in kinds


def judge(
    signals: Signals,
    rules: Sequence[NamedRule] = (),
    *,
    kinds: Collection[str] = ARTICLES,
    is_listed: bool = False,
    use_model: bool = True,
) -> VerdictWithEvidence:
    """Returns the verdict on a page with its extracted text and its metadata. Takes time in proportion to the page's
    size.

    `is_listed` says that a feed or news sitemap lists the page. Pages that the built-in rules accept as articles are
    judged by the model of kinds, unless `use_model` is false. The user's `rules` are applied in their order to pages
    of the `kinds` that are kept. Raises ExtractionError if a rule raises.
    """
    judged = _judged(signals)
    if use_model and judged.verdict in MODELLED and (other := other_kind(signals, is_listed=is_listed)):
        verdict, evidence, probability = other
        judged = VerdictWithEvidence(verdict, evidence, probability=probability)
    for rule in rules if judged.is_kept(kinds) else ():
        if evidence := rule.evidence(signals):
            return VerdictWithEvidence(judged.verdict, evidence, rule.name)
    return judged


def _judged(signals: Signals) -> VerdictWithEvidence:
    """Returns the built-in verdict."""
    extraction = signals.extraction
    for verdict, judge_of in _JUDGES:
        if evidence := tuple(judge_of(signals)):
            if verdict in ARTICLES and not extraction.text:
                break
            return VerdictWithEvidence(verdict, evidence)
    if not extraction.text:
        return VerdictWithEvidence("empty")
    return VerdictWithEvidence("short" if SHORT in extraction.problems else "article")


LISTING_LINKS: Final = 20
"""Least number of links that look like headlines on a listing, which has hardly any text."""
LISTING_LINKED_SHARE: Final = 0.5
"""Least share of a listing's words that are linked."""
LISTING_TEXT_WORDS: Final = 120
"""Most words of a listing's text, which is a teaser or two."""
LISTING_TEASERS: Final = 5
"""Least number of linked headings in the text or on a listing, or of <article> elements with parts of the text."""
MIN_LISTING_EVIDENCE: Final = 2
"""Least number of pieces of evidence for a listing, on a page that is not declared an article."""
LIVE_WORDS: Final = re.compile(
    r"\b(?:live ?blog|live ?ticker|live updates?|newsticker|en direct|en vivo|en directo|minuto a minuto|"
    r"ao vivo|in diretta|liveverslag|na żywo|онлайн ?трансляция|текстовая трансляция|as it happened)\b"
)
"""Phrases in a title or, with blanks for other characters, in a URL."""
MAYBE_LIVE_WORDS: Final = re.compile(
    r"\b(?:live|\w*ticker|direct|directo|vivo|diretta|żywo|relacja|canlı|dakika dakika|онлайн|прямой эфир|"
    r"трансляция|minute by minute|direkte?|suora)\b|速報|中継|直播"
)
"""Phrases that count as `LIVE_WORDS` only on pages whose text consists of entries with times of day."""
LIVE_TIMES: Final = 8
"""Least number of times in a live blog."""
GALLERY_WORDS: Final = Limits().min_words
"""Least words outside of captions of an article with pictures, as of any article's text."""
PARTIAL_WORDS: Final = 180
"""Most words of the free part of a paywalled article."""
NOTICE_RUNS: Final = 15
"""Most runs between the text and a notice to subscribe that ends it."""
PARTIAL_SHARE: Final = 0.7
"""A text with less than this share of the declared number of words is only a part."""

_LISTING_TYPES: Final = frozenset({"CollectionPage", "ItemList", "SearchResultsPage"})
_OTHER_TYPES: Final = {
    "product": frozenset({"Product", "ProductGroup"}),
    "forum": frozenset({"QAPage"}),
    "service": frozenset({"JobPosting"}),
}
"""Types of pages that are no articles. Others, such as Event, are also declared by articles about one."""
_EVENT_TYPES: Final = frozenset(
    "Event BusinessEvent EducationEvent ExhibitionEvent Festival MusicEvent SocialEvent TheaterEvent".split()
)
"""Types of pages that are no articles if their text is short. Of the corpora no article with a short text has one."""
_SEARCH_KEYS: Final = frozenset({"q", "query", "search"})
"""Keys of a query that ask for words. WordPress has `s` on its front page; elsewhere it is often a story's number."""
_VIDEO_TYPES: Final = frozenset({"VideoObject", "Clip", "TVEpisode", "Episode", "BroadcastEvent"})
_GALLERY_TYPES: Final = frozenset({"ImageGallery", "MediaGallery"})
_LISTING_PATH: Final = re.compile(
    r"^$|^/index\.[a-z]+$|/(?:category|categories|tags?|topics?|themen?|thema|section|author|autor|auteur|search|suche|"
    r"archive|archiv|archives|keyword|etiquetas?|temas?|noticias-de|rubrik|ressort)(?:/[^/]+){0,2}$|/page/\d+$"
)
_SHORT_PATH: Final = re.compile(r"^(?:/[^\W\d_]+(?:-[^\W\d_]+)?){1,2}$")
_VIDEO_PATH: Final = frozenset("video videos watch mediathek clip clips vidéo vidéos".split())
_GALLERY_PATH: Final = frozenset(
    "gallery galleries galeria galerias galerie galleria gallerie fotogalerie fotogaleria photos fotos pictures "
    "bilder diaporama fotostrecke slideshow slideshows".split()
)
_NO_WORD: Final = re.compile(r"[\W_]+")
_NOT_FREE: Final = frozenset({"false", "no", "0"})
_LOCKED: Final = frozenset({"locked", "metered", "paid", "premium", "subscriber", "subscribers", "plus"})


def is_short(signals: Signals) -> bool:
    """Returns whether the chain found the text too short."""
    return not signals.extraction.text or SHORT in signals.extraction.problems


def listing(signals: Signals) -> Iterator[str]:
    """Yields the evidence for a listing: two of its declared type, its URL, teasers and links."""
    if signals.states_article:
        return
    evidence: list[str] = []
    if kinds := sorted(signals.types & _LISTING_TYPES):
        evidence.append(f"calls itself {kinds[0]}")
    if signals.url and is_section(signals.url, signals.path):
        evidence.append("its address is a section's")
    elif signals.url and _is_search(signals.url, signals.path):
        evidence.append("its address is a search")
    if signals.articles_of_text >= LISTING_TEASERS:
        evidence.append(f"text from {signals.articles_of_text} article elements")
    if evidence and (links := _links(signals)):
        evidence.append(links)
    if len(evidence) >= MIN_LISTING_EVIDENCE:
        yield from evidence


def declared_other(verdict: str, signals: Signals) -> Iterator[str]:
    """Yields the evidence that the page declares that it is a job, a product or a question, and no article or date. Of
    the corpora 50 other pages do, and none of 3,511 articles."""
    if signals.states_article:
        return
    wanted = _OTHER_TYPES[verdict]
    if verdict == "service" and is_short(signals):
        wanted |= _EVENT_TYPES
    kinds = sorted(wanted.intersection(signals.types | signals.top_types))
    if kinds:
        yield f"calls itself {kinds[0]}"
        yield "declares no article and no date"


def video(signals: Signals) -> Iterator[str]:
    """Yields the evidence that the page shows a video and has hardly any text."""
    if is_short(signals) and not signals.declares_article:
        yield from _media(signals, "video", _VIDEO_TYPES, _VIDEO_PATH)


def gallery(signals: Signals) -> Iterator[str]:
    """Yields the evidence that the page shows pictures and has hardly any text beside their captions."""
    if signals.declares_article:
        return
    evidence = tuple(_media(signals, "gallery", _GALLERY_TYPES, _GALLERY_PATH))
    if evidence and (is_short(signals) or signals.words_outside_captions < GALLERY_WORDS):
        yield from evidence


def live(signals: Signals) -> Iterator[str]:
    """Yields the evidence for a live blog: its type or stated updates, or its title or URL together with many times or
    with entries that are most of its text."""
    if "LiveBlogPosting" in signals.types:
        yield "calls itself LiveBlogPosting"
        return
    if states_updates(signals.page.hints.json_ld):
        yield "states its updates"
        return
    titles = "\n".join(signals.whole_titles)
    titled = MAYBE_LIVE_WORDS.search(titles) is not None
    surely = LIVE_WORDS.search(f"{titles}\n{_NO_WORD.sub(' ', signals.path)}") is not None
    if not titled and not surely:
        return
    times = sum(marked.tag == "time" for marked in signals.page.hints.marked)
    if surely and times >= LIVE_TIMES:
        size = f"{times} marks of time"
    elif entries := shown_entries(signals.page, signals.extraction.runs):
        if 2 * sum(len(entry.text) for entry in entries) < len(signals.extraction.text):
            return
        size = f"{len(entries)} entries with a time"
    else:
        return
    yield f"its {'title' if titled else 'address'} says so"
    yield size


def paywalled(signals: Signals) -> Iterator[str]:
    """Yields the evidence that the text is the free part of a paywalled article."""
    notice = _notice(signals)
    stated = _not_free(signals)
    if stated is None and notice is None:
        return
    declared = _declared_words(signals)
    if declared and signals.words < PARTIAL_SHARE * declared:
        size = f"{signals.words} of the {declared} words it says it has"
    elif signals.words <= PARTIAL_WORDS and (notice or is_short(signals) or stated):
        size = f"{signals.words} words of text"
    else:
        return
    yield from filter(None, (stated, f"says {notice!r}" if notice else None, size))


def is_section(url: str, path: str) -> bool:
    """Returns whether a URL is that of a listing by its words, or a short one that does not look like an article's."""
    if looks_like_article(url) or "=" in url:
        return False
    return is_home(url) or bool(_LISTING_PATH.search(path) or _SHORT_PATH.search(path))


def _is_search(url: str, path: str) -> bool:
    """Returns whether a URL asks a site's search for words: its query has such a key, and its path one part at most."""
    keys = {part.partition("=")[0] for part in urlsplit(url).query.lower().split("&")}
    return path.count("/") <= 1 and (not keys.isdisjoint(_SEARCH_KEYS) or ("s" in keys and not path))


def _links(signals: Signals) -> str | None:
    """The evidence that the page consists of links to articles; None if it does not."""
    kept = signals.extraction.runs
    within, headings = _linked_headings(signals.page.runs[kept[0] : kept[-1] + 1] if kept else ())
    texts = sum(run.words >= HEADLINE_WORDS for run in signals.runs())  # without the dates and labels of teasers
    if within >= LISTING_TEASERS and 2 * within > headings and 2 * within >= texts:
        return f"{within} linked headings among the text"
    if signals.words > LISTING_TEXT_WORDS:
        return None
    linked, headings = _linked_headings(signals.page.runs)
    if linked >= LISTING_TEASERS and 2 * linked > headings:
        return f"{linked} of its {headings} headings are links"
    if signals.headline_links >= LISTING_LINKS and signals.linked_share >= LISTING_LINKED_SHARE:
        return f"{signals.headline_links} links like headlines, {signals.linked_share:.0%} of its words linked"
    return None


def _linked_headings(runs: Sequence[TextRun]) -> tuple[int, int]:
    """The number of linked headings that look like headlines, and the number of all headings."""
    headings = [run for run in runs if run.flags & TOP_HEADING]
    return sum(run.words == run.linked_words >= HEADLINE_WORDS for run in headings), len(headings)


def _media(signals: Signals, name: str, types: frozenset[str], paths: frozenset[str]) -> Iterator[str]:
    """Yields the evidence for media: a statement, or the URL together with the element; both for a page with a date and
    some text."""
    if kinds := sorted(signals.types & types):
        yield f"calls itself {kinds[0]}"
    elif signals.og_type.startswith(name):
        yield f"calls itself {signals.og_type}"
    elif not signals.segments.isdisjoint(paths) and signals.og_type != "article":
        yield f"its address says {min(signals.segments & paths)!r}"
    else:
        return
    yield f"{signals.words} words of text"


def _notice(signals: Signals) -> str | None:
    """The notice in place of the rest of the article: in the text or close below it."""
    kept = signals.extraction.runs
    if not kept or signals.words > PARTIAL_WORDS:
        return None
    near = signals.page.runs[kept[0] : kept[-1] + 1 + NOTICE_RUNS]
    whole = bare_words("\n".join(run.text for run in near if run.words <= NOTICE_WORDS))
    return min((phrase for phrase in PAYWALL_TEXTS if phrase in whole), default=None)


def _not_free(signals: Signals) -> str | None:
    """The statement that the article is not free, as evidence."""
    for thing in (signals.structured.article, signals.structured.page):
        value: Any = thing.get("isAccessibleForFree")
        if value is False or (isinstance(value, str) and value.rpartition("/")[2].strip().lower() in _NOT_FREE):
            return "isAccessibleForFree is false"
    tier = (signals.page.head.first("article:content_tier", "content_tier") or "").strip().lower()
    return f"its content tier is {tier}" if tier in _LOCKED else None


def _declared_words(signals: Signals) -> int:
    """The number of words that structured data states, 0 for none."""
    value = signals.structured.get("wordCount")
    try:
        return int(float(str(value))) if value else 0
    except (ValueError, OverflowError):
        return 0


Judge = Callable[[Signals], Iterator[str]]
"""Yields the evidence for one verdict; nothing if the verdict does not apply."""

_JUDGES: Final[tuple[tuple[Verdict, Judge], ...]] = (
    ("bot_wall", bot_wall),
    ("soft_404", soft_404),
    ("consent", consent),
    ("live", live),
    ("paywalled", paywalled),
    ("video", video),
    ("gallery", gallery),
    ("product", partial(declared_other, "product")),
    ("forum", partial(declared_other, "forum")),
    ("service", partial(declared_other, "service")),
    ("listing", listing),
)
"""The first verdict with evidence is used: pages in place of an article, then kinds of articles, then the others."""
