"""Articles with odd words, stories of several pages, sites, times and languages, and 200 queries: written for tests.

The first sixty queries and thirty-six articles are those of search_questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from search_questions import ARTICLES, QUESTIONS

from newscrawl.model import PublishedDate

NOW: Final = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

_STRIKE: Final = " ".join(
    f"Point {number} of the deal says that the ferry crew rests {number * 3} hours." for number in range(1, 30)
)
_FLOOD: Final = " ".join(
    f"Gauge {number} of the river showed {number * 7} centimetres of flood water." for number in range(1, 30)
)
_SOUTH: Final = PublishedDate(datetime(2026, 11, 4, 1, 10, tzinfo=UTC), "meta", "minute", offset=-180)
_FIFTIES: Final = PublishedDate(datetime(1955, 5, 5, tzinfo=UTC), "meta", "day")
_STEAM: Final = PublishedDate(datetime(1850, 1, 1, tzinfo=UTC), "meta", "day")
_THEN: Final = NOW - timedelta(days=30)


def _page(name: str, text: str, title: str | None = None, **changes: Any) -> tuple[str, str, dict[str, Any]]:
    return name, text, {"title": title, "site": "harbour", "language": "en", "fetched_at": NOW, **changes}


PAGES: Final = (
    *(
        _page(name, text, title, language=language, site=language[:2], fetched_at=NOW - timedelta(hours=7 * number))
        for number, (name, (language, title, text)) in enumerate(ARTICLES.items())
    ),
    # stories of several pages, and a text that contains two others
    _page("strike1", f"{_STRIKE} Agency.", "Ferry strike ends", site="north", fetched_at=NOW - timedelta(days=9)),
    _page("strike2", f"{_STRIKE} Agency.", "Crews win more rest", site="south", fetched_at=NOW - timedelta(days=3)),
    _page("strike3", f"{_STRIKE} Our staff.", "Harbour deal", site="east", fetched_at=NOW - timedelta(days=1)),
    _page("flood", _FLOOD, "The river rises", site="north", fetched_at=NOW - timedelta(days=5)),
    _page("roundup", f"{_STRIKE} {_FLOOD}", "The week in short", site="west", fetched_at=NOW - timedelta(days=2)),
    # occurrences, lengths, places
    _page("often", "ferry " * 300 + "and a whale", "Ferry ferry ferry", site="lists"),
    _page("long", "wave " * 16_400 + "lighthouse keeper lamp. The keeper slept.", "Waves", site="lists"),
    _page("short", "Lighthouse keeper.", "Lamp", site="lists"),
    _page("same1", "The mayor opened the new bridge.", "Bridge open", site="twins", fetched_at=_THEN),
    _page("same2", "The mayor closed the new bridge.", "Bridge shut", site="twins", fetched_at=_THEN),
    _page("titleonly", "Nothing else was said today.", "Harbour master resigns", site="south"),
    _page("untitled", "The harbour master wrote a letter about the master plan.", None, site="south"),
    # what separates words, and what does not
    _page("signs", "C++ and C# at 3.5 GHz: mail a.b@example.org, see https://example.org/a-b?c=d_e #news 50%.", "R&D"),
    _page("dashes", "A well-known mother-in-law's so-called e-mail. O'Neill's café, naïve coöperation.", "Rock & roll"),
    _page("numbers", "In 2026, 1,000,000 people paid 12.50 on 3/4/2026; v2.0b and 7th place, 1e5 and 0x1F.", "24/7"),
    _page("emoji", "Whales 🐋🐋 and a 👩‍👩‍👧 family. ﬁne ﬂags, ½ and ①②, Ⅳ kings.", "🐋"),
    _page("longword", f"The name {'llanfair' * 20} is long, {'x' * 99}y is not.", "Names"),
    _page("invisible", "the new har\u00adbour and the fer\u2060ry, zero\u200bwidth", "Soft\u00adware"),
    _page("quotes", "He said \"no\" and 'yes', „nein“, «non»; a \\ backslash & (brackets) | bars : *", "It's 'so'"),
    # languages and scripts
    _page("nolanguage", "Ferries running without a language.", "Runners", language=None, site="plain"),
    _page("brazil", "Os barcos saem cedo, e o barco volta.", "Barcos", language="pt-br", site="plain"),
    _page("norway", "Ferjene går ikkje i dag.", "Ferja", language="nn", site="plain"),
    _page("croatia", "Brodovi plove prema luci.", "Brod", language="hr", site="plain"),
    _page("turkey", "İstanbul'da vapurlar çalışıyor. Işıklar söndü.", "Vapur", language="tr", site="plain"),
    _page("greece", "Τα πλοία έφυγαν από το λιμάνι. Το πλοίο γύρισε.", "Πλοία", language="el", site="plain"),
    _page("arabic", "أعلنت الحكومة عن خطة جديدة للميناء. السفن تبحر.", "الحُكُومَة", language="ar", site="plain"),
    _page("persian", "آنان می‌خواهند به بندر بروند. کتاب‌های تازهٔ شهر.", "کتاب", language="fa", site="plain"),
    _page("persian2", "آنان مي خواهند بروند.", "خواهند", language="fa", site="plain"),
    _page("hindi", "प्रधानमंत्री ने दिल्ली में कहा कि नाव चलेगी।", "दिल्ली", language="hi", site="plain"),
    _page("thai", "นายกรัฐมนตรีแถลงข่าวที่กรุงเทพฯ", "กรุงเทพ", language="th", site="plain"),
    _page("korea", "정부는 서울에서 새 계획을 발표했다. 항구 위원회가 모였다.", "서울", language="ko", site="plain"),
    _page("china", "在2026年11月举行的会议上，北京市长宣布了新计划。", "北京会议", language="zh", site="plain"),
    _page("tokyo", "東京都知事は火曜日の夜に新しい計画を発表した。", "東京都", language="ja", site="plain"),
    _page("mixed", "The iPhone15发布 in 東京 and Seoul서울 today.", "発表 news", language="en", site="plain"),
    _page("yiddish", "די שיפן זענען אַוועק.", "שיף", language="yi", site="plain"),
    _page("tamil", "படகுகள் துறைமுகத்தில் இருந்து புறப்பட்டன.", "படகு", language="ta", site="plain"),
    # times
    _page("south", "The night ferry left at ten.", "Night ferry", published=_SOUTH, site="clock"),
    _page("old", "The old ferry of the fifties.", "Old", site="clock", published=_FIFTIES),
    _page("ancient", "The first ferry of all.", "First", site="clock", published=_STEAM),
    _page("half", "A ferry in the second.", "Half", site="clock", fetched_at=_THEN + timedelta(microseconds=500_000)),
    _page("whole", "A ferry at the second.", "Whole", site="clock", fetched_at=_THEN),
)  # fmt: skip
"""Name, text, and the fields of the fetched page and its metadata, in the order in which they are stored."""

_DAY: Final = timedelta(days=1)
_FILTERED: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    *(("ferry", {"site": site}) for site in ("north", "south", "west", "clock", "harbour", "nowhere", "NORTH")),
    *(("ferry", {"language": code}) for code in ("en", "EN", "de", "nn", "pt", "en-GB", "e")),
    ("council", {"language": "en"}),
    ("council", {"language": "en-GB"}),
    ("barco", {"language": "pt"}),
    ("barco", {"language": "pt-BR"}),
    ("barco", {"language": "pt-PT"}),
    *(("ferry", {"since": NOW - days * _DAY}) for days in (0, 1, 2, 4, 10, 30, 40_000)),
    *(("ferry", {"until": NOW - days * _DAY}) for days in (0, 1, 4, 9, 30, 365, 30_000)),
    ("ferry", {"since": NOW - 30 * _DAY, "until": NOW - 30 * _DAY + timedelta(microseconds=1)}),
    ("ferry", {"since": NOW - 30 * _DAY + timedelta(seconds=1), "until": NOW - 8 * _DAY}),
    ("ferry", {"since": NOW - 4 * _DAY, "until": NOW - 2 * _DAY}),
    ("ferry", {"site": "north", "since": NOW - 4 * _DAY}),
    ("ferry", {"site": "south", "language": "en", "until": NOW}),
    ("night", {"since": datetime(2026, 11, 4, tzinfo=UTC)}),
    ("night", {"since": datetime(2026, 11, 4, tzinfo=UTC), "by_local_day": True}),
    ("night", {"until": datetime(2026, 11, 4, tzinfo=UTC)}),
    ("night", {"until": datetime(2026, 11, 4, tzinfo=UTC), "by_local_day": True}),
    ("bridge", {"limit": 1}),
    ("ferry", {"limit": 1}),
    ("ferry", {"limit": 3}),
    ("the", {"limit": 200}),
)

_TYPED: Final = (
    # words
    "harbour", "HARBOUR master", "master harbour", "harbor", "the", "the ferry whale", "rest hours", "lighthouse",
    "lighthouse keeper lamp", "keeper slept", "wave", "bridge mayor", "opened bridge", "mayors", "bridges new",
    "running", "run", "runs", "flood", "flooding river", "deal", "gauges", "nothing said",
    # phrases
    '"harbour master"', '"master harbour"', '"the harbour master"', '"new bridge"', '"lighthouse keeper"',
    '"keeper lamp"', '"keeper the"', '"bridge open"', '"open the"', '"flood water" strike', '"ferry crew" "more rest"',
    '"ferry crew" OR "flood water"', '"ferry ferry"', '"a whale"', '"ends point"', "“harbour master”", "„nein“",
    '"the"', '"the ferr"', '"ferry crew rests 9 hours"',
    # beginnings
    "harb*", "ferr* whale", "wha*", "light* keep*", "zz*", "f*", "fe*", '"harbour mas"*', "title:harb*", "-harb* ferry",
    "en*", "title:de*",     "lland*", "llanfair*", "mast* OR wave*",
    # what must not occur
    "ferry -whale", "ferry -crew", '-"the ferry" ferry', '-"harbour master" harbour', "harbour -title:harbour",
    "ferry -ferry", "bridge -open -shut", "bridge -opened", "river -strike*", "-ferry", '-"a whale" -wave keeper',
    # titles
    "title:harbour master", 'title:"harbour master"', 'title:"master harbour"', "title:masters",
    "title:bridges", 'title:"bridge open"', "title:deal OR title:rest", 'title:"crews win"', "title:rest title:strike",
    "title:rest deal", 'title:"ferry strike" crew', "title:runner", 'title:"the river" OR whale',
    # joined
    "whale OR lighthouse", "whale OR lighthouse OR mayor", "whale OR lighthouse keeper", "ferry whale OR crew",
    'bridge OR "harbour master" -open', "title:bridge OR keeper",
    # filters in the query
    "ferry site:north", "ferry site:nowhere", "ferry lang:en", "ferry lang:nn", "ferje lang:no", "ferja", "ferje",
    "ferry since:2d", "ferry since:2026-11-20", "ferry lang:en since:40d site:clock", 'ferry site:"south"',
    # what separates words, and odd words
    "c++", "C#", "3.5", '"3.5 GHz"', "a.b@example.org", '"a b"', "e-mail", "email", "mother-in-law", "O'Neill", "cafe",
    "naive", "naïve", "cooperation", "coöperation", "1,000,000", "1000000", "12.50", "2026", "v2.0b", "1e5", "0x1f",
    "7th", "24/7", "R&D", "🐋", "whales 🐋", "fine", "flags", "1/2", "12", "iv", "x" * 99 + "y", "llanfair" * 20,
    "harbour ferry software", '"harbour and the ferry"', "zerowidth", "back\\slash", "(brackets)", "it's", "yes no",
    # languages and scripts
    "barcos", "brod", "ferries", "vapur", "istanbul", "işık", "πλοίο", "πλοια", "λιμάνι", "الحكومة", "سفينة", "كتاب",
    "می‌خواهند", "می خواهند", "میخواهند", "کتاب‌های", "दिल्ली", "नाव", "กรุงเทพ", "แถลงข่าว", "서울", "항구 위원회",
    "2026年11月", "北京", "計画", "計画を発表", '"東京都"', "京", "東京 seoul", "iphone15", "發布", "发布",
    "שיף", "שיפן", "படகு", "title:発表", "-計画 東京", "新*", "知事 OR 市长",
)  # fmt: skip

QUERIES: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    *((typed, {}) for typed, _ in QUESTIONS),
    *((typed, {}) for typed in _TYPED),
    *_FILTERED,
)
"""What is typed, with the fields of Filters and the limit of hits."""
