"""Recognizes pages in place of an article: bot walls, consent pages, errors answered with status 200."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from newscrawl.extraction.article.signals import Signals, bare_words
from newscrawl.extraction.cleanup.cues import read_phrases
from newscrawl.model import SPEAKS_OF_ERROR
from newscrawl.model.word_lists import read_sections
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
