"""Finds authors where no other source names anybody: labelled lines anywhere on the page, names beside a day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from newscrawl.extraction.metadata.authors.jobs import JOB_BEFORE, says_job
from newscrawl.extraction.metadata.authors.names import LABEL, looks_like_person, names_in
from newscrawl.extraction.metadata.dates.labels import PUBLISHED, UPDATED, is_dated
from newscrawl.extraction.metadata.nearby import MAX_LINE, Nearby, ShortLine
from newscrawl.extraction.metadata.text import caseless_nfkc_cached
from newscrawl.model.written_dates.calendars import WEEKDAYS
from newscrawl.page.run import HEADING

MAX_WORDS: Final = 15
"""The most words of a credit. A longer run is a sentence."""

MAX_SIGNED: Final = 8
"""The most words of a line that is only "by" and names."""

BESIDE_TEXT: Final = 3
"""The most lines between such a line and the text."""

TEXT_WORDS: Final = 15
"""The least words of a line of text."""

MAX_CREDITS: Final = 3
"""The most credits with different names. A page with more is a list of articles or comments."""

BESIDE_DAY: Final = 4
"""Lines after the headline in which a name beside a day is a byline."""

_PERSON_WORDS: Final = 4
_LINES_BY: Final = 5
"""Lines after the headline in which "by" introduces also a name in one word, such as a login."""

_CREDIT: Final = re.compile(
    r"^\W{0,3}(?:(?:this )?(?:post|article|story|text)(?: was)? )?"
    r"(?:(?:written|authored|contributed|submitted|reported|posted|article|story) by|contributors?:|"
    r"(?:geschrieben|verfasst) von|"
    r"text(?: und (?:interview|fotos?))?:|texte\s?:|texto:|autor(?:in|en|es|a|ka)?(?:/autor)?\b\s?:?|"
    r"auteur(?:e|s)?\s?:|"
    r"author(?:s|\(s\))?\s?(?::|$)|escrito por|écrit par|autore:|scritto da|автор\s?:|作者\s?[:：]|기자\s?[:：]|"
    r"작성자\s?[:：]|글쓴이\s?[:：]|"
    r"بقلم\s?:?)\s*:?\s*",
    re.IGNORECASE,
)
"""A label that says who wrote a text. "By" alone is too common in other lines."""
_LABELLED: Final = re.compile(
    r"(?<!\w)(?:authors?|autor(?:in|en|es|a|ka|e)?|auteur(?:e|s)?|автор|作者|작성자|글쓴이)\s?[:：]", re.IGNORECASE
)
_LABELLED_PIECES: Final = re.compile(
    r"[|·•●;；\u3000]\s?|,\s(?=[^\W\d_]{2,20}\s?[:：]|\d)|\s[–—-]\s|\s(?=[^\W\d_]{2,10}[:：])"
)
"""What separates the parts of a line with several labels."""
_ON: Final = re.compile(r"\s(?:on|at|am|um|le|el|under|in|@)\s.*$|[(|·•●–—].*$")
_BY: Final = re.compile(
    r"(?:^|[|·•,–—-]|\d)\s*(?:posted |written )?(?:by|von|vom|par|por)\s*:?\s+(?=\S)", re.IGNORECASE
)
_SIGNED: Final = re.compile(r"^\W{0,3}(?:by|von|par|por|di|door|av|af)\s*:?\s+(?=\S)", re.IGNORECASE)
_DAY: Final = re.compile(
    r"\(?(?:^(?:le|am|den|el)\s)?(?:(?:(?:Mon|Tues?|Wednes|Thurs?|Fri|Satur|Sun)(?:day)?,?\s)?[A-Z][a-z]{2,8}\.?\s\d{1,2},?\s\d{4}|"
    r"\d{1,2}\.?\s?(?:de\s)?[^\W\d_]{3,12}\.?,?\s(?:de\s)?\d{4}|\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}|\d{4}[-/.]\d{2}[-/.]\d{2}|"
    r"\d{1,2}/\d{1,2}/\d{2,4})\)?(?:,?\s*(?:(?:at|à|um|alle)\s)?\d{1,2}[:.h]\d{2}(?:\s?[ap]\.?m\.?)?(?:\sUhr)?)?"
)
_OF_DAYS: Final = re.compile(
    r"\d{1,3}(?:\s|-)?min(?:ut[aeno]{1,2}s?|uutti?a?)?\b\.?(?:\s(?:read|reading|to read|lesezeit|de lecture|de lectura|"
    r"de leitura|di lettura|leestijd|lästid))?|\b(?:lesezeit|lesedauer|reading time|temps de lecture|leestijd)\b|"
    rf"(?:{PUBLISHED.pattern}|{UPDATED.pattern})\w*|\b(?:am|le|el|il|on|om|um|at|uhr|à|às|alle|ore|alla|zuletzt|last|"
    r"ultim[oa]|última|dernière|laatst|fecha|data|date|datum|v|w|utc|gmt|bst|ces?t|mesz?|e[sd]?t|"
    rf"{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})\b",
    re.IGNORECASE,
)
"""Labels, weekdays, zones, reading times and small words of a line of days."""
_BESIDE_DAYS: Final = " ,|·•/–—-:.()\u00a0"
_SEPARATOR: Final = re.compile(r"[|·•●]|\s[–—-]\s")
_AROUND: Final = " ,|·•/–—-"


def credited_names(nearby: Nearby) -> Iterator[str]:
    """Yields names of a line right after the headline that begins with "by" or has a day beside the name, else those
    of the lines with a label such as "Written by" or "Autor:" in the page."""
    lines = [line for line in nearby.lines if line.run.element > (nearby.headline or 0)]
    for line in lines[:_LINES_BY]:
        if name := _after_by(f"by {line.text}" if LABEL.fullmatch(line.before) else line.text):
            yield name
            return
    for line in lines[:BESIDE_DAY]:
        name = _beside_day(line, lines)
        if name and caseless_nfkc_cached(name) not in caseless_nfkc_cached(nearby.title or ""):
            yield name
            return
    yield from labelled_names(nearby)


def labelled_names(nearby: Nearby) -> Iterator[str]:
    """Yields names of the lines with a label such as "Written by", else those of the only line beside the text that is
    "by" and persons."""
    labelled = list(_labelled(nearby))
    if labelled and len({tuple(names_in(name)) for name in labelled}) <= MAX_CREDITS:
        yield labelled[0]
        return
    signed = list(_signed(nearby))
    if len({tuple(names_in(name)) for name in signed}) == 1:
        yield signed[0]


def _after_by(text: str) -> str | None:
    """Returns the name after "by" at the start of a line, or after the day in it: "3 May 2024 by ada7"."""
    found = _BY.search(text)
    if found is None or (found.group()[0].isdigit() and not is_dated(text)):
        return None
    rest = JOB_BEFORE.sub("", _ON.sub("", _DAY.sub("", text[found.end() :])).strip(_AROUND))
    names = names_in(rest)
    if not names or len(rest.split()) > 2 * len(names) + 1:
        return None
    return rest if all(map(_may_be_login, names)) or all(map(looks_like_person, names)) else None


def _may_be_login(name: str) -> bool:
    return " " not in name and len(name) > 2 and not name.endswith("ing")


def _beside_day(line: ShortLine, lines: list[ShortLine]) -> str | None:
    """Returns the name in a line that has a day, too, or that is next to a line that is only a day; several if each has
    a job."""
    if line.run.flags & HEADING:
        return None
    text = _DAY.sub("|", line.text)
    if text == line.text and not any(_is_day(other) for other in _next_to(line, lines)):
        return None
    pieces = [piece.strip(_AROUND) for piece in _SEPARATOR.split(text)]
    named = [piece for piece in pieces if _names_person(piece)]
    if len(named) > 1 and not all(says_job(piece[len(names_in(piece)[0]) :]) for piece in named):
        return None
    return ", ".join(named) or None


def _names_person(piece: str) -> bool:
    """Returns whether a piece of a line is a person's name, alone or with a job or an agency behind it. In scripts
    without capitals one word is too little."""
    piece = JOB_BEFORE.sub("", piece)
    names = names_in(piece)
    if not names or not all(looks_like_person(name) and len(name.split()) <= _PERSON_WORDS for name in names):
        return False
    if piece == names[0]:
        return names[0].lower() != names[0].upper() or " " in names[0]
    return piece.startswith(names[0]) and says_job(piece[len(names[0]) :])


def _next_to(line: ShortLine, lines: list[ShortLine]) -> list[ShortLine]:
    place = lines.index(line)
    return lines[max(0, place - 1) : place + 2]


def _is_day(line: ShortLine) -> bool:
    """Returns whether a line is a day, or days with labels such as "Updated"."""
    text = line.text.strip(_AROUND)
    if _DAY.fullmatch(text):
        return True
    return _DAY.search(text) is not None and not _OF_DAYS.sub("", _DAY.sub("", text)).strip(_BESIDE_DAYS)


def _signed(nearby: Nearby) -> Iterator[str]:
    """Yields the lines beside the text that are only "by" and persons, or follow a line that is only "by": newspapers
    also sign below the text. Linear in the page."""
    runs, around = nearby.page.runs, range(-BESIDE_TEXT, BESIDE_TEXT + 1)
    beside = {place + way for place, run in enumerate(runs) if run.words >= TEXT_WORDS for way in around}
    for place, run in enumerate(runs):
        if run.words > MAX_SIGNED or place not in beside or run.element <= (nearby.headline or 0):
            continue
        text, signed = run.text[:MAX_LINE], _SIGNED.match(run.text[:MAX_LINE])
        label = place and LABEL.fullmatch(runs[place - 1].text[:MAX_LINE])
        rest = text if label else text[signed.end() :] if signed else ""
        names = names_in(rest) if rest[:1].isupper() else []
        if names and all(map(looks_like_person, names)):
            yield rest


def _piece_with_credit(line: str) -> str:
    """Returns the part of a line of labels with the author's: "3 May 2024 | Source: Reuters | Author: Ada Example"."""
    if _LABELLED.search(line) is None:
        return line
    return next((piece for piece in _LABELLED_PIECES.split(line) if _LABELLED.match(piece)), line)


def _labelled(nearby: Nearby) -> Iterator[str]:
    """Yields what follows the labels, in the same run or the next one. Linear in the page."""
    waiting = False
    for run in nearby.page.runs:
        text = run.text[:MAX_LINE]
        if run.words > MAX_WORDS:
            waiting = False
            continue
        if ":" in text or "：" in text:  # few lines have one, and every label of `_LABELLED`
            text = _piece_with_credit(text)
        if label := _CREDIT.match(text):
            rest = _ON.sub("", text[label.end() :])
            waiting = not rest
            if rest and all(map(looks_like_person, names_in(rest))):
                yield rest
        else:
            if waiting and any(map(looks_like_person, names_in(text))):
                yield text
            waiting = False
