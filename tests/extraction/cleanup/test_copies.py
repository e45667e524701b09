"""What stands beside an article in its text goes: copies, the next article, comments, adverts with a label.

Each kind is given in several mark-ups, and beside each there is a page that only looks like it.
"""

from __future__ import annotations

import pytest

from newscrawl.extraction.article.extracted import extract

URL = "https://harbour.example/bridge"
TITLE = "The new bridge opens after four years"
H1 = f"<h1>{TITLE}</h1>"
SENTENCES = [
    "The council opened the new bridge over the river on Tuesday morning, and hundreds walked across it before noon.",
    "Work had begun four years ago, after a flood carried the old wooden bridge away, and it cost more than planned.",
    "The mayor said that the road to the northern villages was open again, and that no lorry had to go round.",
    "Engineers tested the cables for three weeks with wagons full of gravel, until nothing moved by more than a hand.",
    "A bus line will cross the bridge every twenty minutes from the first of June, the transport office announced.",
    "Fishermen had asked for a lower fee at the harbour during the work, but the port authority turned them down.",
    "The school in the eastern quarter let its children go early, so that they could see the first lorries roll by.",
    "In the evening a band played on the square until the lights went out, and nobody could recall such a night.",
]
OTHERS = [
    "Residents of the old port have asked for quieter nights since the ferry company moved its yard, a petition says.",
    "A new market hall with forty stalls is planned beside the station, and traders may apply until late in August.",
    "The museum shows drawings of sailing ships, most of which have never left the archive of the old shipyard here.",
    "Farmers expect a poor harvest of early potatoes because the rain came late, the chamber of agriculture reported.",
]
REMARKS = [
    "I walked over it this morning with my dog and it is fine, but why is there no bench in the middle of the bridge?",
    "So much more than planned, and nobody has to explain that to us? Somebody on the council should step down now.",
    "My grandfather helped to build the old one, and he told us every winter how cold the water was in those days.",
]


def paragraphs(sentences: list[str]) -> str:
    return "".join(f"<p>{sentence}</p>" for sentence in sentences)


TEXT = paragraphs(SENTENCES)
NEXT = paragraphs(OTHERS)


def text_of(body: str, chain: str) -> str:
    html = f"<html lang=en><head><title>{TITLE} - Harbour</title></head><body>{body}</body></html>"
    return " ".join(extract(html, URL, chain=chain).text.split())


def remarks(form: str) -> str:
    return "".join(form.format(number, remark) for number, remark in enumerate(REMARKS))


ITEM = '<article itemscope itemtype="http://schema.org/NewsArticle">'
AD = "<p>Buy the new garden chair now and save forty per cent until Sunday in all of our shops by the sea.</p>"
PAGES = {
    "a copy in hidden microdata": (
        f'{ITEM}{H1}<div style="display:none"><span itemprop="articleBody">{" ".join(SENTENCES)}</span>'
        f'<span itemprop="datePublished">2026-05-05T08:00:00Z</span></div><div class="text">{TEXT}</div></article>'
    ),
    "a hidden copy with pictures": (
        f'<div class="story">{H1}<div class="body">{TEXT}</div></div><div hidden><h2>{TITLE}</h2>{TEXT}'
        "<p>https://harbour.example/pictures/bridge.jpg 1200 630</p></div>"
    ),
    "a copy in a template": (
        f'<main>{H1}<div class="content">{TEXT}</div><div class="schema" style="height:0"><span>'
        f"{TITLE}</span><p>{' '.join(SENTENCES)}</p></div></main>"
    ),
    "a copy for small screens": (
        f'<div class="story">{H1}<div class="desktop-body">{TEXT}</div><div class="mobile-body">{TEXT}</div></div>'
    ),
    "the next article as an article": (
        f'<div class="feed"><article>{H1}{TEXT}</article><article><h1>Quieter nights</h1>{NEXT}</article></div>'
    ),
    "the next article in a like element": (
        f'<div class="feed"><div class="story">{H1}<div class="text">{TEXT}</div></div>'
        f'<div class="story"><h1>Quieter nights</h1><div class="text">{NEXT}</div></div></div>'
    ),
    "the next article in a section": (
        f"<main><section>{H1}{TEXT}</section><section><header><h1>Quieter nights</h1></header>{NEXT}</section></main>"
    ),
    "comments in a list": (
        f'<div>{H1}{TEXT}<ol id="comments">{remarks("<li class=comment><b>Reader {}</b><p>{}</p></li>")}</ol></div>'
    ),
    "comments in rows": (
        f'<div class="wrap">{H1}<div>{TEXT}</div><div class="comment-list">'
        f"{remarks('<div class=row><div>Reader {}</div><div class=msg><p>{}</p></div></div>')}</div></div>"
    ),
    "an advert in a table": (
        f"<table><tr><td>{H1}{paragraphs(SENTENCES[:4])}<table><tr><td><p>Advertisement</p>{AD}</td></tr></table>"
        f"{paragraphs(SENTENCES[4:])}</td></tr></table>"
    ),
    "an advert in a section": (
        f"<article>{H1}<section>{paragraphs(SENTENCES[:4])}</section><section><h4>Anzeige</h4>{AD}</section>"
        f"<section>{paragraphs(SENTENCES[4:])}</section></article>"
    ),
}
UNWANTED = (*OTHERS, *REMARKS, "garden chair", "2026-05-05", "1200 630")


@pytest.mark.parametrize("chain", ["classic", "best"])
@pytest.mark.parametrize("kind", PAGES)
def test_the_article_is_left_once_and_alone(kind: str, chain: str) -> None:
    text = text_of(PAGES[kind], chain)
    assert [sentence for sentence in SENTENCES if text.count(sentence) != 1] == []
    assert [part for part in UNWANTED if part in text] == []


ALIKE = {
    "a refrain": (f"<article>{H1}{TEXT}<p>{SENTENCES[1]}</p></article>", (SENTENCES[1],) * 2),
    "a part with an h1 of its own": (
        f"<article>{H1}{paragraphs(SENTENCES[:6])}<h1>What comes next</h1>{paragraphs(SENTENCES[6:])}</article>",
        SENTENCES,
    ),
    "a page whose readers write most of it": (
        f'<div class="comments"><h1>{TITLE}</h1>{TEXT}</div>',
        SENTENCES,
    ),
    "the word for adverts above the article": (f"<article><p>Advertisement</p>{H1}{TEXT}</article>", SENTENCES),
}


@pytest.mark.parametrize("kind", ALIKE)
def test_an_article_that_looks_like_it_stays_whole(kind: str) -> None:
    body, wanted = ALIKE[kind]
    text = text_of(body, "classic")
    assert [sentence for sentence in wanted if text.count(sentence) < wanted.count(sentence)] == []
