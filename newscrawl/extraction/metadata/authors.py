"""Chooses the authors of an article among the statements of its page, and finds those that readers see: author links,
bylines, "By ..." near the headline, reporters; and where no other source names anybody, labelled lines anywhere on the
page, and names beside a day.

Chinese and Korean pages write the job beside the name: 记者 王小明, 김철수 기자. These scripts have no capitals, so a
name is recognised by its surname: some two hundred are those of nearly everybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from newscrawl.extraction.metadata.author_names import (
    BY,
    BY_GLUED,
    HELPED,
    JOB_BEFORE,
    LABEL,
    PRESS,
    is_account,
    looks_like_name,
    looks_like_person,
    names_in,
    says_job,
)
from newscrawl.extraction.metadata.date_labels import PUBLISHED, UPDATED, is_dated
from newscrawl.extraction.metadata.nearby import MAX_LINE, Nearby, ShortLine
from newscrawl.extraction.metadata.structured import Microdata, Structured
from newscrawl.extraction.metadata.text import caseless_nfkc_cached, texts
from newscrawl.model.written_dates.calendars import ENGLISH_SHORT, WEEKDAYS, without_accents
from newscrawl.page import Page
from newscrawl.page.head import Link, Marked
from newscrawl.page.run import HEADING

MAX_ELEMENTS: Final = 20
"""Byline elements that are read."""

MAX_LINES: Final = 6
"""Lines of a byline element that are read. An element that contains the whole page may have the class "author", too."""

_AUTHOR_PATH: Final = re.compile(
    r"/(?:authors?|writers?|staff|people|profiles?|contributors?|by|bio|reporters?|journalists?|columnists?|autor(?:es|en|in)?|auteurs?|"
    r"redaktion|redaktor|firmas?|autori)/[^/]",
    re.IGNORECASE,
)
_CLASSES: Final = ("author", "byline", "autor", "auteur", "firma")
_NAME_AND_DAY: Final = re.compile(
    rf"(\S+(?:\s\S+){{1,3}}?)\s*[,|•·–-]?\s*(?:{ENGLISH_SHORT})[a-z]*\.? \d{{1,2}}, \d{{4}}$"
)
_DATED_LINES: Final = 3
"""Lines after the headline in which a name and a day are a byline. Further down they are of another article."""
_JOINTS: Final = frozenset(
    {",", ";", "|", "•", "·", "/", "and", "&", ", and", "und", "et", "y", "e", "en", "och", "og"}
)
_PARTS: Final = re.compile(r"\.\s+|\s?[|·•]\s?")
"""What separates the author in a line from others: "By Ada Example. Reviewed by Bob Example"."""
_MIN_NAME_WORDS: Final = 2
_MAX_LINK_WORDS: Final = 5


def linked_names(nearby: Nearby) -> Iterator[str]:
    """Yields the texts of rel=author links, else of links to an author's page near the headline."""
    marked = (m for m in nearby.page.hints.marked if m.attributes.get("rel") == "author" and m.text)
    texts = [m.text for m in nearby.ordered(marked)]
    yield from texts or [link.text for link in nearby.links if is_author_link(link)]


def byline_names(nearby: Nearby) -> Iterator[str]:
    """Yields, from the first element with a class for bylines or authors, its author links or its first line with a
    name."""
    marked = (m for m in nearby.page.hints.marked if _is_byline(m))
    for m in nearby.ordered(marked)[:MAX_ELEMENTS]:
        if linked := [link.text for link in nearby.links_in(m) if is_author_link(link)]:
            yield from linked
            return
        lines = [line for line in nearby.lines_in(m)[:MAX_LINES] if names_in(line)]
        if lines:
            yield next((line for line in lines if any(map(looks_like_name, names_in(line)))), lines[0])
            return


def introduced_names(nearby: Nearby) -> Iterator[str]:
    """Yields the first short run near the headline that begins with "By", or follows a run that consists of it, and
    continues with possible names; else one with a name directly after "By"; else the first with a name and a day."""
    glued = [BY_GLUED.sub("By ", text) for text in nearby.texts if BY_GLUED.match(text)]
    for text in (*nearby.texts, *_labelled(nearby), *glued):
        if BY.match(text):
            names = names_in(text)
            short = len(text.split()) <= _MAX_LINK_WORDS
            one = len(names) == 1 and len(text.partition(",")[0].split()) <= _MAX_LINK_WORDS
            if names and (text[0].isupper() or short or one) and all(map(looks_like_name, names)):
                yield text
                return
    for text in nearby.texts[:_DATED_LINES]:
        if (dated := _NAME_AND_DAY.match(text)) and looks_like_name(dated.group(1)):
            yield dated.group(1)
            return


def _labelled(nearby: Nearby) -> Iterator[str]:
    """Yields the names after a "By" in its own element, with the names that follow a comma or "and" in other
    elements."""
    lines = nearby.lines
    for number, line in enumerate(lines):
        if LABEL.fullmatch(line.before):
            names = [line.text]
            for joint, following in zip(lines[number + 1 :: 2], lines[number + 2 :: 2], strict=False):
                if joint.text not in _JOINTS:
                    break
                names.append(following.text)
            yield f"By {', '.join(names)}"


def helper_names(nearby: Nearby) -> Iterator[str]:
    """Yields the names that a line near the headline, or a part of it, credits with something else: pictures, editing,
    contributions."""
    texts = nearby.texts
    for number, text in enumerate(texts):
        for part in _PARTS.split(text):
            if helped := HELPED.match(part):
                rest = part[helped.end() :]
                yield from names_in(rest or " ".join(texts[number + 1 : number + 2]))


def is_author_link(link: Link) -> bool:
    """Returns whether the link leads to an author's page and its text may be a name."""
    words = link.text.split()
    return _MIN_NAME_WORDS <= len(words) <= _MAX_LINK_WORDS and _AUTHOR_PATH.search(link.href[:500]) is not None


def _is_byline(marked: Marked) -> bool:
    names = marked.attributes.get("class", "").lower()
    is_named = any(map(names.__contains__, _CLASSES)) and "comment" not in names
    return is_named and bool(marked.text)  # in this order, because the text is read when it is first needed


SURNAMES: Final = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏"
    "钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严"
    "牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢骆岳齐梅莫庄辛管祝左涂谷祁"
    "張劉陳楊趙黃吳孫馬羅鄭謝韓馮蕭鄧許呂蘇盧蔣賈葉閻鍾譚鄒陸顧萬錢湯賀賴龔龐蘭嚴溫蘆韋畢聶叢駱齊莊"
)
COMPOUND_SURNAMES: Final = frozenset(
    "欧阳 歐陽 上官 司马 司馬 诸葛 諸葛 东方 東方 皇甫 慕容 令狐 司徒 夏侯 尉迟 尉遲 端木 南宫 公孙".split()
)
KOREAN_SURNAMES: Final = frozenset(
    "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진나엄채원천방공현함변염여추도석선설마길연위표명기반왕옥육인맹제모"
)
MAX_CHARACTERS: Final = 60
"""Characters of a line that are searched. In the first paragraph the reporter is in its first brackets."""
MAX_RUNS: Final = 20
"""Runs after the headline that are searched."""

_HAN: Final = r"[\u3400-\u9fff]"
_NAMES: Final = rf"({_HAN}{{2,4}}(?:[、，,\s]+{_HAN}{{2,4}}){{0,4}})"
_NEXT_LABEL: Final = r"(?:编辑|編輯|责编|責編|来源|來源|时间|時間|摄影|攝影|校对|审核|出处)\s*[:：]"
_KOREAN: Final = re.compile(
    r"(?<![\uac00-\ud7a3])([\uac00-\ud7a3]{2,4})\s?(?:선임|인턴|수습)?(?:기자|특파원)(?![\uac00-\ud7a3])"
)
_JOB: Final = re.compile("[记記作撰文기특]")
"""Characters of the jobs. A search for them rejects most lines of other pages."""
_BETWEEN: Final = re.compile(r"[、，,\s]+")


def reporters(nearby: Nearby) -> Iterator[str]:
    """Yields the names of the first line after the headline that has a reporter. Linear in the lines."""
    after = (run for run in nearby.page.runs if run.element > (nearby.headline or 0))
    for _, run in zip(range(MAX_RUNS), after, strict=False):
        line = run.text[:MAX_CHARACTERS]
        names = () if line.isascii() or _JOB.search(line) is None else reporters_in(line)
        if names:
            yield from names
            return


def reporters_in(line: str) -> tuple[str, ...]:
    """Returns the reporters that a line names. Words beside the job that are no names, as in "reporter's notes", have
    no surname at their beginning."""
    for pattern in _chinese():
        if found := pattern.search(line):
            names = _BETWEEN.split(found.group(1))
            return tuple(name for name in names if name[0] in SURNAMES or name[:2] in COMPOUND_SURNAMES)
    return tuple(name for name in _KOREAN.findall(line) if name[0] in KOREAN_SURNAMES)


@cache
def _chinese() -> tuple[re.Pattern[str], ...]:
    """Returns the patterns of Chinese lines. Compiling them takes as long as two pages, and few pages need them."""
    return (
        re.compile(rf"(?:记者|記者|作者|撰文)\s*[:：|｜]\s*{_NAMES}(?:(?!{_HAN})|(?={_NEXT_LABEL}))"),
        re.compile(rf"^(?:{_HAN}{{0,6}}(?:记者|記者)|文)[\s／/]+{_NAMES}(?!{_HAN})"),
        re.compile(rf"^(?:记者|記者){_NAMES}\s*[／/]"),
        re.compile(rf"(?:^|[\s　])(?:记者|記者)[\s　]+{_NAMES}(?!{_HAN})"),
        re.compile(rf"[（(]{_HAN}{{0,6}}(?:记者|記者)[\s:：]*{_NAMES}\s*[）)]"),
    )


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
    labelled = list(_behind_label(nearby))
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


def _behind_label(nearby: Nearby) -> Iterator[str]:
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


MAX_AUTHORS: Final = 20

WEIGHTS: Final = {
    "json-ld": 1.0,
    "meta": 0.5,
    "introduced": 0.5,
    "bylines": 0.4,
    "links": 0.4,
    "reporters": 0.4,
    "microdata": 0.3,
    "credits": 0.1,
}
"""The weight of each source. `reporters` has that of bylines. Alone the others are exactly right on .90, .83, .82, .77,
.79 and .67 of the development pages on which they state anything. Only three other sources that agree outweigh JSON-LD.
Other weights near these give the same results (benchmarks/metadata_quality.py)."""

NO_PERSON: Final = 0.2
"""The factor for names of which none looks like a person's, such as a login or an editorial office, while another
source names a person. Content systems put the account that entered the text into the metadata."""

_BYLINES: Final = frozenset({"bylines", "introduced", "reporters"})
_VISIBLE: Final = _BYLINES | {"links"}
"""Sources that readers see."""

_NAMES_SITE: Final = frozenset({"json-ld", "microdata", "links", "bylines", "introduced"})
"""Sources whose statement counts if they name the site alone. Many sites always put themselves into the author meta.
There it counts only if the site has a person's name."""

_META: Final = (
    "author", "article:author", "parsely-author", "sailthru.author", "byl", "dc.creator", "dcterms.creator", "byline",
    "citation_author", "dcsext.author", "og:article:author", "article:author_name", "cxenseparse:author",
)  # fmt: skip


def authors_of(structured: Structured, microdata: Microdata, nearby: Nearby, site: frozenset[str]) -> tuple[str, ...]:
    """Returns the names that most sources agree on, weighted by source. Of equals the more trusted source wins.

    The site itself is an author only if a source names it and nobody else is named. Photographers and editors are left
    out if there are others.
    """
    stated = _Stated()
    others = site | {caseless_nfkc_cached(nearby.title or "")}
    for source, raws in author_sources(structured, microdata, nearby):
        stated.add(source, raws, others)
    if not stated.votes:
        stated.add("credits", credited_names(nearby), others)
    elif not stated.names_person:
        stated.replace_by_persons("credits", labelled_names(nearby), others)
    if not stated.votes:
        return stated.itself
    chosen = tuple([_in_full(name, stated.names) for name in stated.spelled[stated.best()]])
    return _without_helpers(chosen, nearby) if len(chosen) > 1 else chosen


class _Stated:
    """The statements of the sources: votes for each set of names, and how the names are spelled."""

    def __init__(self) -> None:
        self.votes: dict[frozenset[str], float] = {}
        self.visible: dict[frozenset[str], int] = {}
        self.bylines: set[frozenset[str]] = set()
        self.spelled: dict[frozenset[str], tuple[str, ...]] = {}
        self.names: list[str] = []
        self.itself: tuple[str, ...] = ()

    def add(self, source: str, raws: Iterable[str], others: frozenset[str]) -> None:
        """Adds the vote of one source. `others` are the folded names of the site and the title, which are no
        author."""
        named = _distinct(name for raw in raws for name in names_in(raw))
        names = tuple(name for key, name in named.items() if key not in others)
        if names:
            key = frozenset(map(caseless_nfkc_cached, names))
            self.votes[key] = self.votes.get(key, 0.0) + WEIGHTS[source]
            self.visible[key] = self.visible.get(key, 0) + (source in _VISIBLE)
            if source in _BYLINES:
                self.bylines.add(key)
            self.spelled.setdefault(key, names)
            self.names.extend(names)
        elif named and not self.itself:
            itself = next(iter(named.values()))
            if source in _NAMES_SITE or (looks_like_person(itself) and not PRESS.search(itself)):
                self.itself = (itself,)

    @property
    def names_person(self) -> bool:
        """Whether a source names a person, not only accounts, offices and organisations."""
        return any(map(looks_like_person, self.names))

    def replace_by_persons(self, source: str, raws: Iterable[str], others: frozenset[str]) -> None:
        """Takes the statement of this source in place of all others, if it names a person."""
        raws = tuple(raws)
        if any(looks_like_person(name) for raw in raws for name in names_in(raw)):
            self.votes.clear()
            self.add(source, raws, others)

    def best(self) -> frozenset[str]:
        """Returns the folded names with most votes. Accounts count less if a byline names a person. A set that
        readers see in two places and that has further persons is preferred to a part of it."""
        votes = self.votes
        if any(looks_like_person(name) for key in self.bylines for name in self.spelled[key]):
            votes = {key: NO_PERSON * v if self._are_accounts(key) else v for key, v in votes.items()}
        best = max(votes, key=votes.__getitem__)
        more = (
            key for key, count in self.visible.items() if count > 1 and key > best and self._are_persons(key - best)
        )
        return next(more, best)

    def _are_accounts(self, key: frozenset[str]) -> bool:
        """Returns whether no source spells one of the names like a person's."""
        return all(is_account(name) for name in self.names if caseless_nfkc_cached(name) in key)

    def _are_persons(self, keys: frozenset[str]) -> bool:
        return all(looks_like_person(name) for name in self.names if caseless_nfkc_cached(name) in keys)


def _in_full(name: str, stated: list[str]) -> str:
    """Returns a name as another source spells it, with the surname to a first name, capitals to a login, or accents."""
    if " " not in name and name[:1].isupper():
        starts = f"{name.casefold()} "
        full = [other for other in stated if other.casefold().startswith(starts) and looks_like_name(other)]
        if len(set(map(caseless_nfkc_cached, full))) == 1:
            return full[0]
    if name == name.lower():
        name = next(
            (
                other
                for other in stated
                if caseless_nfkc_cached(other) == caseless_nfkc_cached(name) and other != other.lower()
            ),
            name,
        )
    if name.isascii():
        name = next((other for other in stated if not other.isascii() and without_accents(other) == name), name)
    return name


def _without_helpers(names: tuple[str, ...], nearby: Nearby) -> tuple[str, ...]:
    helpers = set(map(caseless_nfkc_cached, helper_names(nearby)))
    return tuple(name for name in names if caseless_nfkc_cached(name) not in helpers) or names


def author_sources(structured: Structured, microdata: Microdata, nearby: Nearby) -> Iterator[tuple[str, Iterable[str]]]:
    """Yields the sources of names, most trusted first."""
    yield "json-ld", _from_json_ld(structured)
    yield "meta", _from_meta(nearby.page)
    yield "microdata", microdata.author_names()
    yield "links", linked_names(nearby)
    yield "bylines", byline_names(nearby)
    yield "introduced", introduced_names(nearby)
    yield "reporters", reporters(nearby)


def _from_json_ld(structured: Structured) -> Iterator[str]:
    for name in ("author", "creator"):
        for value in structured.resolved(name):
            if isinstance(value, str | Mapping):
                yield from texts(value)


def _from_meta(page: Page) -> Iterator[str]:
    for key in _META:
        values = page.head.all(key)[:MAX_AUTHORS]
        if any(names_in(raw) for raw in values):
            yield from values
            return


def _distinct(names: Iterable[str]) -> dict[str, str]:
    """Returns the names by their folded form, each in its first spelling."""
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(caseless_nfkc_cached(name), name)
        if len(distinct) == MAX_AUTHORS:
            break
    return distinct
