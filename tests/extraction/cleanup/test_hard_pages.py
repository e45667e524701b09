"""Pages whose article is hard to tell from what is around it, in three mark-ups each: results, recipes, live reports,
galleries, endless pages, and offers of paywalls. Each has a header, boxes, a footer and a notice.

Each page says which parts belong to the text, and which do not (docs/explanation/what-is-the-text.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import pytest

from newscrawl.extraction.article.extracted import extract

URL: Final = "https://ferry.example/2026/03/landing"
TITLE: Final = "The ferry gets a new landing"
STORY: Final = [
    "The island council decided on Monday that the ferry will get a new landing on the sheltered side of the bay.",
    "The old one stands in the wind, and in January the ferry could not call there on eleven days in a row.",
    "An engineer from the mainland has drawn a pier of larch and steel that will stand on forty piles in the sand.",
    "It costs two million crowns, of which the county pays half and the fishermen's society another tenth in labour.",
    "Nobody spoke against it, though the owner of the old kiosk asked who would buy his coffee from next summer on.",
    "The work begins after the storms of March, and the first ferry is to call at the new landing in late August.",
    "Until then a small boat will carry passengers and letters whenever the waves are lower than half a metre.",
]
NEXT_TITLE: Final = "A museum for the lost boats"
NEXT: Final = [
    "Nineteen boats that nobody claims lie in the dunes, and a carpenter wants to show them in a museum of their own.",
    "He has rebuilt the first one with oak from the old church roof, and visitors may touch everything in his shed.",
    "The county has promised him a hall if he finds the names of at least ten of the owners before the autumn.",
    "School children help him with that, and they have already found four families whose grandfathers rowed the boats.",
]
BYLINE: Final = "<div class=by>By Ann Lund</div>"
LINKS: Final = (
    "<li><a href=/1>Six islands ask for a doctor of their own</a><li><a href=/2>How larch wood lasts in salt water</a>"
)
NOTICE: Final = (
    "We use small files to keep this site running and to count its readers. You decide which of them you allow."
)


def p(lines: Sequence[str], form: str = "<p>{}</p>") -> str:
    return "".join(form.format(line) for line in lines)


def page(body: str, bar: str = "cookie-bar") -> str:
    return (
        f"<!doctype html><html lang=en><head><title>{TITLE} - Island Post</title></head><body>"
        f"<header><a href=/>Island Post</a><nav><a href=/news>News</a> <a href=/sea>Sea</a></nav></header>{body}"
        f"<aside><h3>Most read</h3><ul>{LINKS}</ul></aside><footer><p>Island Post, Harbour Street 1</p></footer>"
        f"<div class={bar}><p>{NOTICE} {NOTICE}</p></div></body></html>"
    )


class Case(NamedTuple):
    html: str
    wanted: Sequence[str]
    unwanted: Sequence[str] = ()
    chains: Sequence[str] = ("classic", "best")


H1: Final = f"<h1>{TITLE}</h1>{BYLINE}"
ROWS: Final = [
    ("1", "Skua", "14", "31"),
    ("2", "Tern", "14", "28"),
    ("3", "Gannet", "13", "22"),
    ("4", "Auk", "14", "9"),
]
CELLS: Final = "".join(f"<tr>{p(row, '<td>{}</td>')}</tr>" for row in ROWS)
GOODS: Final = ["1 onion", "2 leeks", "200 ml cream", "1 bay leaf", "salt", "dill"]
STREETS: Final = ["Am Wall", "Gartenweg", "Ostring", "Talweg", "Hohe Straße"]
LINE: Final = '<div class="mb-6 leading-8">{}</div>'


def around(part: str, form: str = "<p>{}</p>") -> str:
    return f"{p(STORY[:2], form)}{part}{p(STORY[2:4], form)}"


SHORT_PARTS: Final = {
    "a table in a figure": Case(
        page(f"<article>{H1}{around(f'<figure class=wp-block-table><table>{CELLS}</table></figure>')}</article>"),
        (*STORY[:4], "Gannet", "22"),
    ),
    "a table in wrappers beside paragraphs in wrappers": Case(
        page(
            f"<main>{H1}"
            + around(
                f"<div class=t><div><table>{CELLS}</table></div></div>",
                "<div class=b><div class=r><p>{}</p></div></div>",
            )
            + "</main>"
        ),
        (*STORY[:4], "Gannet", "22"),
    ),
    "a table that scrolls": Case(
        page(f"<div class=a>{H1}{around(f'<div class=scroll><table>{CELLS}</table></div>', LINE)}</div>"),
        (*STORY[:4], "Gannet", "22"),
    ),
    "ingredients of a card": Case(
        page(
            f"<article>{H1}<p>{STORY[0]}</p><div class=dish><h2>Soup</h2><div><h3>You need</h3>"
            f"<ul>{p(GOODS, '<li>{}</li>')}</ul><h3>Do this</h3>"
            f"<ol>{p(STORY[2:6], '<li><div>{}</div></li>')}</ol></div></div></article>"
        ),
        (STORY[0], *GOODS, *STORY[2:6]),
    ),
    "ingredients without a list's tags": Case(
        page(
            f"<div>{H1}"
            + around(f"<div class=flex>{p(GOODS, '<div class=row><i></i><div class=cell>{}</div></div>')}</div>", LINE)
            + "</div>"
        ),
        (*STORY[:4], *GOODS),
    ),
    "a list among lines of one cell": Case(
        page(
            f"<table><tr><td><b>{TITLE}</b><br><br>{STORY[0]}<br><br>{STORY[1]}<br><br><ul>{p(STREETS, '<li>{}')}</ul>"
            f"{STORY[2]}<br><br>{STORY[3]}</td></tr></table>"
        ),
        (*STORY[:4], *STREETS),
    ),
    "a post in a figure": Case(
        page(
            f"<article>{H1}"
            + around(
                "<figure class=embed><div><blockquote class=twitter-tweet>"
                f"<p>{STORY[6]}</p></blockquote></div></figure>"
            )
            + "</article>"
        ),
        (*STORY[:4], STORY[6]),
    ),
    "a post in a box that asks for consent": Case(
        page(
            f"<article>{H1}"
            + around(
                "<div class=opt-in-box><p>Here is content of another company, which you can show with one click.</p>"
                f"<blockquote class=twitter-tweet><p>{STORY[6]}</p></blockquote></div>"
            )
            + "</article>"
        ),
        (*STORY[:4], STORY[6]),
        ("another company",),
    ),
}
TIMES: Final = ["16:58", "16:41", "16:20", "15:55", "15:32", "15:04", "14:49", "14:10"]
ENTRIES: Final = [
    "The vote is over: all are in favour.",
    "Councillors return to the hall.",
    "A short break.",
    "The engineer shows her drawing of the pier.",
    "The owner of the kiosk asks who will buy his coffee, and hears that summer is long.",
    "The fishermen's society promises a tenth of the labour, and there is applause.",
    "A letter from the county is read, which pays half of the two million crowns.",
    "The hall is full an hour before the start.",
]
OPENING: Final = f"<p>{STORY[0]} We report from the hall.</p>"


def entries(form: str) -> str:
    return "".join(form.format(time, text) for time, text in zip(TIMES, ENTRIES, strict=True))


def numbered(form: str) -> str:
    return "".join(form.format(n, line) for n, line in enumerate(STORY, 1))


WRAPPED: Final = '<div class="e"><div class="t">{}</div><div class="x"><p>{}</p></div></div>'
PICTURES: Final = (
    '<div class="s"><div><img src=/a.jpg></div><div class="n">{} / 7</div><div class="k"><p>{}</p></div></div>'
)
FRAMES: Final = '<div class="s"><div class="v"><i>{} of 7</i><img src=/a.jpg><div class="d">{}</div></div></div>'
NEWS: Final = '<div class="n"><div>{} / </div><div>28 March Island life</div><a href=/n>The sea report: {}</a></div>'
GROUPS: Final = {
    "entries with a heading": Case(
        page(f"<article>{H1}{OPENING}<div>{entries('<div class=u><h4>{}</h4><p>{}</p></div>')}</div></article>"),
        (STORY[0], *ENTRIES),
    ),
    "entries with wrappers": Case(
        page(f"<main>{H1}<div class=feed>{entries(WRAPPED)}</div></main>"), ENTRIES, (NOTICE,), ("classic",)
    ),
    "entries in bold": Case(
        page(f"<article>{H1}{OPENING}{entries('<p><strong>{} Uhr:</strong> {}</p>')}</article>"), (STORY[0], *ENTRIES)
    ),
    "a list of other news with times": Case(
        page(f"<div>{H1}<p>{STORY[0]}</p><p>{STORY[1]}</p><div>{entries(NEWS)}</div></div>"),
        STORY[:2],
        ("Island life", *ENTRIES),
        ("classic",),
    ),
    "a gallery with counters": Case(
        page(
            f"<div><div><div><article>{H1}<section>{numbered(PICTURES)}</section></article></div></div></div>",
            "bar",
        ),
        STORY,
        (NOTICE, "1 / 7"),
        ("classic",),
    ),
    "a gallery with frames": Case(
        page(
            f"<div><div><div><main>{H1}<div>{numbered(FRAMES)}</div></main></div></div></div>",
            "bar",
        ),
        STORY,
        (NOTICE, "2 of 7"),
        ("classic",),
    ),
    "paragraphs with wrappers and longer captions of pictures": Case(
        page(
            f"<div><div><div><div><article>{H1}"
            + "".join(
                f'<div class="b"><div class="r"><p>{line}</p></div></div>'
                + ("<figure><img src=/a.jpg><figcaption>" + NEXT[0] + "</figcaption></figure>") * (n in (0, 3))
                for n, line in enumerate(STORY)
            )
            + "</article></div></div></div></div>"
        ),
        STORY,
        (NEXT[0],),
    ),
}
CLASSES: Final = "post-{} post type-post hentry"


def post(number: int, title: str, lines: Sequence[str], heading: str) -> str:
    head = f"<header><{heading}>{title}</{heading}>{BYLINE}</header>"
    return f'<article class="{CLASSES.format(number)}">{head}<div class="entry-content">{p(lines)}</div></article>'


ENDLESS: Final = {
    "posts of a blog": Case(
        page(
            f"<main>{post(7, TITLE, STORY, 'h1')}"
            f"<div class=more>{post(8, NEXT_TITLE, (NEXT + STORY[::-1]) * 2, 'h2')}</div>"
            f"{post(9, NEXT_TITLE + ' opens', NEXT[::-1], 'h2')}</main>"
        ),
        STORY,
        NEXT,
        ("classic",),
    ),
    "sections with other names around the same text": Case(
        page(
            f"<main><article class=a><h1>{TITLE}</h1><div class=a-text>{p(STORY)}</div></article>"
            f"<div class=next><h2>{NEXT_TITLE}</h2><div class=a-text>{p(NEXT)}</div></div></main>"
        ),
        STORY,
        NEXT,
    ),
    "articles with a headline without h1": Case(
        page(
            f"<main><article class=r><header><h2>{TITLE}</h2></header><section>{p(STORY)}</section></article>"
            f"<article class=r><header><h2>{NEXT_TITLE}</h2></header><section>{p(NEXT)}</section></article></main>"
        ),
        STORY,
        NEXT,
    ),
}
OFFERS: Final = {
    "paragraphs in English": [
        "Subscribe to keep reading",
        "Already a subscriber? Log in",
        "One euro a month.",
        "Cancel.",
    ],
    "paragraphs in German": ["Jetzt weiterlesen mit Plus", "Sie haben bereits ein Abo?", "Ein Monat für 1 Euro."],
    "paragraphs in French": ["La suite est réservée aux abonnés", "Déjà abonné ?", "Sans engagement pendant un an."],
    "paragraphs in Japanese": ["この記事は有料会員限定です", "会員の方はログインして続きをお読みください"],
}
PLUS: Final = OFFERS["paragraphs in German"]
LINES: Final = f"<b>{TITLE}</b><br>{p(STORY[:4], '{}<br><br>')}"
LABELLED: Final = f"<b>More of this</b><br>&raquo; <a href=/1>{NEXT[0]}</a><br>&raquo; <a href=/2>{NEXT[1]}</a><br>"
ENDINGS: Final = {
    **{kind: Case(page(f"<article>{H1}{p(STORY[:4])}{p(o)}</article>"), STORY[:4], o) for kind, o in OFFERS.items()},
    "lines of a cell": Case(page(f"<table><tr><td>{LINES}{p(PLUS, '{}<br>')}</td></tr></table>"), STORY[:4], PLUS),
    "lines of links": Case(
        page(f"<table><tr><td><b>{TITLE}</b><br>{p(STORY, '{}<br><br>')}<hr>{LABELLED}</td></tr></table>"),
        STORY,
        NEXT[:2],
    ),
}
INLINE: Final = "small time button q cite dfn mark kbd label ins x-term big s bdi nobr".split()
LINKED: Final = (
    "Two builders from the mainland, aged 54 and 30, denied that they had sold the larch of the pier to a third."
)
TEASERS: Final = ["Six islands ask for a doctor", "How larch lasts in salt water", "The lighthouse is for sale", "Eels"]
HARBOUR: Final = [
    "岛上的议会星期一决定，渡船将在海湾背风的一侧得到一个新的码头，旧的码头站在风里，一月份有十一天渡船不能停靠。",
    "一位来自大陆的工程师画了一座落叶松的栈桥，长二百步，宽得可以让一辆马车通过，费用由县里和居民各出一半。",
    "工程在三月的风暴以后开始，第一班渡船将在秋天靠岸，在那以前一条小船会在天气允许的时候运送旅客和信件。",
]
PRICES: Final = ["Cod: 214 crowns", "Herring: 86 crowns", "Skate: 120 crowns"]
TERMS: Final = [
    "By using this site you agree to these terms, which the society may change at any time and without any notice.",
    "The society is not liable for any loss that may arise from the use of this site or from any statement on it.",
    "You may not copy, publish or sell any part of the site without the written permission of the society.",
    "These terms are governed by the law of the islands, whose courts decide on all disputes that arise from them.",
    "Permission that was given may be withdrawn for any reason, and no claim against the society arises from that.",
]
REMARKS: Final = [
    "I have taken this ferry for forty years and not once was the pier too short for it. Come on.",
    "That is because you never come in winter. They could not land on eleven days, it was in this very paper.",
    "My uncle built the old pier in the rain because the mayor wanted to open it before the election.",
    "What about the school boat? Nobody on the council has said one word about the school boat so far.",
    "Can we talk about who signed the first survey of the pier? The same firm and the same signature as now.",
    "Larch from the mainland again, while our own wood rots beside the road. Nobody should be surprised.",
    "The kiosk has the best coffee of all the islands, and I will buy mine there wherever the ferry lands.",
]


def article(*parts: str) -> str:
    return page(f"<article>{H1}{''.join(parts)}</article>")


def alternately(line: str, values: Sequence[str], *, below: bool = False) -> str:
    """The story with a line above or below each of its first paragraphs."""
    parts = [line.format(value) for value in values]
    pairs = zip(STORY, [*parts, *[""] * len(STORY)], strict=False)
    return article(*(f"<p>{text}</p>{part}" if below else f"{part}<p>{text}</p>" for text, part in pairs))


SENTENCES: Final = {
    **{
        f"words in {tag}": Case(
            article(
                around(
                    f"<p>A <{tag}>pier</{tag}> is a way from the land to the deep water. It ends <{tag}>there</{tag}>."
                )
            ),
            ("A pier is a way from the land to the deep water. It ends there.", *STORY[:4]),
        )
        for tag in INLINE
    },
    **{
        f"an {tag} inside a sentence": Case(
            article(
                around(f"<p>The owner, who lives at <{tag}>12 Bay Lane</{tag}> and has done so for years, said no.")
            ),
            ("who lives at 12 Bay Lane and has done so for years", *STORY[:4]),
        )
        for tag in ("address", "figcaption")
    },
    "what no sentence goes on around": Case(
        article(
            f"<p><time>2 May 2026</time> {STORY[0]}</p>{p(STORY[1:])}",
            "<p>The end came. <button>Share</button> Ann left.</p>",
        ),
        STORY,
        ("2 May 2026", "Share"),
    ),
    **{
        f"an initial: {name}": Case(
            article(f"{initial}<p>he calls began early, long before the office was open.</p>{p(STORY)}"),
            ("The calls began early", *STORY),
        )
        for name, initial in (
            ("a div", "<div class=cap>T</div>"),
            ("a paragraph", "<p>T</p>"),
            ("behind a quotation mark", "<div><span>“T</span></div>\n"),
            ("a table", "<table><tr><td>T</table>"),
        )
    },
    **{
        f"an early end: {end}": Case(article(p(STORY[:3]), end, p(STORY[3:])), STORY)
        for end in ("</body>", "</html>", "</body></html>", "</body></html><html><body>")
    },
}
BETWEEN: Final = {
    **{
        f"a speaker above each paragraph: {line}": Case(alternately(line, ["Ann Lund", "Bo Vik"] * 3), STORY)
        for line in (
            "<div><a href=/m>{}</a></div>",
            "<p><b><a href=/m>{}</a></b></p>",
            "<h4><a href=/m>{}</a></h4>",
            "<a href=#n>1</a>",
        )
    },
    **{
        f"a teaser below each paragraph: {line}": Case(
            alternately(line, TEASERS[:3] * 2, below=True), STORY, TEASERS[:3]
        )
        for line in (
            "<p><b>Read:</b> <a href=/t>{}</a></p>",
            "<p><a href=/t>{}</a></p>",
            "<div>&gt;&gt; <a href=/t>{}</a></div>",
        )
    },
    "a paragraph in a wrapper that is a link": Case(
        article(p(STORY[:2]), f"<div class=live><p><a href=/live>{LINKED}</a></p></div>", p(STORY[2:])),
        (LINKED, *STORY),
    ),
    "a linked note in brackets between paragraphs": Case(
        article(p(STORY[:2]), f"<p><a href=/letter>[{LINKED}]</a></p>", p(STORY[2:])), STORY, (LINKED,), ("classic",)
    ),
    "tags in small letters below a last line without an end": Case(
        article(
            p([*STORY, "Read the plan of the pier at the hall from nine to four"]),
            "<div><h4>Tags</h4><ul><li><a href=/t/1>ferry</a></li><li><a href=/t/2>larch pier</a></li></ul></div>",
        ),
        STORY,
        ("Tags", "larch pier"),
    ),
    "a word in small letters elsewhere below a last line without an end": Case(
        article(
            p([*STORY, "Read the plan of the pier at the hall from nine to four"]),
            "<section><div>Island Post</div><div>share</div></section>",
        ),
        STORY,
        ("share",),
    ),
    "a byline at the beginning of a line in Chinese": Case(
        article("<p><small>作者：林安</small>" + HARBOUR[0] + "</p>", p(HARBOUR[1:])), HARBOUR, ("林安",)
    ),
    "a notice of rights in the element of the last line": Case(
        article(
            f"<div>{'<br><br>'.join(STORY)}<br><br>Read the plan of the pier, which the council shows at the hall"
            "<p><a href=/n>News</a></p>© Island Media</div>"
        ),
        STORY,
        ("Island Media",),
        ("classic",),
    ),
    "prices above an agency's credit": Case(
        article(p(STORY[:3]), p(PRICES), "<p>© Reuters</p>", p(STORY[3:])), (*PRICES, *STORY)
    ),
    "dates above the text": Case(
        article("<p>2026. 5. 2. 10:15</p><p>2 May 2026.</p>", p(STORY)), STORY, ("10:15", "2 May")
    ),
    "dates above the text in words and in other calendars": Case(
        article("<p>شنبه بیست و سوم اردیبهشت ۱۴۰۲</p><p>2ης Μαΐου 2026</p><p>2026. gada 2. maijs</p>", p(STORY)),
        STORY,
        ("۱۴۰۲", "Μαΐου", "maijs"),
    ),
}
UNSEEN: Final = "Cheap loans for new players without any deposit"
HIDDEN: Final = {
    "a box of comments": Case(
        page(
            f"<main><article>{H1}{p(STORY[:3])}</article><details class=CommentBox open>"
            f"<summary>7</summary>{p(REMARKS)}</details></main>"
        ),
        STORY[:3],
        REMARKS,
    ),
    **{
        f"terms in {tag}": Case(
            page(
                f"<main><article>{H1}{p(STORY[:4])}</article><{tag}><h2>Terms</h2>{p(TERMS)}</{tag.split()[0]}></main>"
            ),
            STORY[:4],
            TERMS,
        )
        for tag in (
            "div id=terms-popup style='display:none'",
            "div style='display: none'",
            "section hidden",
            "dialog",
            "div style='visibility:hidden'",
        )
    },
    **{
        f"words nobody sees: {tag}": Case(article(around(f"<{tag}>{UNSEEN}</{tag.split()[0]}>")), STORY[:4], (UNSEEN,))
        for tag in (
            "p style='font-size:0'",
            "p style='font-size: 1px'",
            "p style='position:absolute;left:-9999px'",
            "p style='text-indent:-99em'",
            "p style='color:#fff;background:white'",
            "p style='color:rgba(0,0,0,0)'",
            "div style='position:absolute;clip:rect(0,0,0,0)'",
            "p style='visibility:hidden'",
            "p style='opacity:0'",
            "div style='height:0;overflow:hidden'",
            "p style='display:none'",
            "textarea",
            "svg",
            "dialog",
            "canvas",
            "p hidden",
        )
    },
    **{
        f"words nobody sees in a sentence: {tag}": Case(
            article(
                around(f"<p>Nobody knows <span {tag}>{UNSEEN}</span> when the first ferry is to call there again.")
            ),
            (*STORY[:4], "Nobody knows when the first"),
            (UNSEEN,),
        )
        for tag in (
            "style='font-size:0'",
            "style='display:none'",
            "hidden",
            "style='color:white;background-color:#FFF'",
        )
    },
    **{
        f"what a click shows: {name}": Case(article(p(STORY[:4]), body), STORY)
        for name, body in {
            "answers": p(STORY[4:], "<h3>And then?</h3><div style='display:none'><p>{}</p></div>"),
            "a tab": f"<a href=#t>Costs</a><div id=t style='display:none'>{p(STORY[4:])}</div>",
            "details": f"<details><summary>More</summary>{p(STORY[4:])}</details>",
        }.items()
    },
    **{
        f"what a script shows: {style}": Case(article(f"<div style='{style}'>{p(STORY, form)}</div>"), STORY)
        for style, form in (
            ("opacity:0", "<p>{}</p>"),
            ("visibility:hidden", "<p>{}</p>"),
            ("font-size:0", "<p style='font-size:1em'>{}</p>"),
            ("font-size:0", "<p class=big>{}</p>"),
        )
    },
}
CASES: Final = {**SHORT_PARTS, **GROUPS, **ENDLESS, **ENDINGS, **SENTENCES, **BETWEEN, **HIDDEN}


@pytest.mark.parametrize(
    ("kind", "chain"), [(kind, chain) for kind, case in CASES.items() for chain in case.chains], ids=str
)
def test_the_text_is_the_article(kind: str, chain: str) -> None:
    case = CASES[kind]
    text = " ".join(extract(case.html, URL, chain=chain).text.split())
    assert [part for part in case.wanted if part not in text] == []
    assert [part for part in case.unwanted if part in text] == []


def test_the_share_of_undisplayed_words_is_noted_and_lowers_the_confidence() -> None:
    kind = "terms in div id=terms-popup style='display:none'"
    found = extract(CASES[kind].html, URL)
    shown = extract(article(p(STORY[:4])), URL)
    (problem,) = (one for one in found.problems if "displayed" in one)
    assert problem.endswith("% of the words are not displayed")
    assert found.confidence < 0.8 * shown.confidence
    assert not any("displayed" in one for one in shown.problems)


def test_the_trace_says_which_step_found_a_text_between_links() -> None:
    turns = [f"<div><a href=/m>Ann Lund</a></div><p>{text}</p>" for text in (*STORY, *NEXT)]
    html = page(f"<article>{H1}{''.join(turns)}<div><a href=/m>Bo Vik</a></div></article>")
    found = extract(html, URL, chain="classic")
    assert all(text in found.text for text in (*STORY, *NEXT))
    assert [attempt.extractor for attempt in found.trace] == ["boilerpipe-wide+group", "justext", "unlinked+group"]
    assert found.extractor == "unlinked+group"


def test_long_lines_are_no_text_where_boilerpipe_finds_an_article() -> None:
    assert extract(article(p(STORY)), URL, chain="unlinked+group").text == ""
    assert extract(article(p(STORY)), URL).text != ""
