"""Finds author statements in the visible page: author links, bylines, "By ..." near the headline, reporters.

Chinese and Korean pages write the job beside the name: 记者 王小明, 김철수 기자. These scripts have no capitals, so a
name is recognised by its surname: some two hundred are those of nearly everybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from newscrawl.extraction.metadata.authors.names import BY, BY_GLUED, HELPED, LABEL, looks_like_name, names_in
from newscrawl.extraction.metadata.nearby import Nearby
from newscrawl.model.written_dates.calendars import ENGLISH_SHORT
from newscrawl.page.head import Link, Marked

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
