"""Pages whose article is hard to tell from what is around it, in three mark-ups each: results, recipes, live reports,
galleries, endless pages, and offers of paywalls. Each has a header, boxes, a footer and a notice.

Each page says which parts belong to the text, and which do not (docs/explanation/what-is-the-text.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import pytest

from newscrawl.article.extracted import extract

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
CASES: Final = {**SHORT_PARTS, **GROUPS, **ENDLESS, **ENDINGS}


@pytest.mark.parametrize(
    ("kind", "chain"), [(kind, chain) for kind, case in CASES.items() for chain in case.chains], ids=str
)
def test_the_text_is_the_article(kind: str, chain: str) -> None:
    case = CASES[kind]
    text = " ".join(extract(case.html, URL, chain=chain).text.split())
    assert [part for part in case.wanted if part not in text] == []
    assert [part for part in case.unwanted if part in text] == []
