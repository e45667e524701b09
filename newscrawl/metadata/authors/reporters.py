"""Finds reporters in lines of Chinese and Korean pages, which write the job beside the name: 记者 王小明, 김철수 기자.

These scripts have no capitals, so a name is recognised by its surname: some two hundred are those of nearly everybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from newscrawl.metadata.nearby import Nearby

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
