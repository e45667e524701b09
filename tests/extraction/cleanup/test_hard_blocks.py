"""Blocks that are hard to tell from an article, and articles that are hard to tell from blocks, in three mark-ups each.

Each page says which parts belong to the text, and which do not (docs/explanation/what-is-the-text.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from newscrawl.extraction.article.extracted import extract

URL = "https://harbour.example/2026/05/lighthouse"
TITLE = "The lighthouse keeper hands over the lamp"
SENTENCES = [
    "After thirty-one years the keeper of the lighthouse handed over the keys on Friday, and the whole village came.",
    "The lamp has been electric since 1974, but somebody still had to climb the stairs whenever the fog came in.",
    "From now on a sensor will switch the horn on, and an engineer in the capital will look after six towers at once.",
    "The harbour office says that nothing changes for the fishing boats, which have carried their own radar for years.",
    "The keeper wants to stay in the small house below the tower, where the rent is low and the view goes a long way.",
    "School classes may visit the lamp room from June, and the museum has asked for the old register of wrecks.",
    "On Friday evening the light came on by itself at nine, two minutes before the keeper would have climbed up.",
]
H1 = f"<h1>{TITLE}</h1>"


class Block(NamedTuple):
    body: str
    wanted: Sequence[str] = SENTENCES
    unwanted: Sequence[str] = ()


def paragraphs(sentences: Sequence[str]) -> str:
    return "".join(f"<p>{sentence}</p>" for sentence in sentences)


TEXT = paragraphs(SENTENCES)
REMARKS = {
    "kestrel": "Why does nobody ask the people who have to sail past that tower every night of the winter?",
    "anon-o-mouse": "I climbed it with my grandmother in 1988 and she counted the steps aloud until the very top.",
    "saltmarsh": "Good riddance to the horn, says everybody who ever tried to sleep on the north side of the bay.",
}
BESIDE = "<td width=160><b>More on this</b><ul><li><a href=/a>The new ferry sails to both islands</a></ul></td>"


def remarks(form: str) -> str:
    return "".join(form.format(name, text) for name, text in REMARKS.items())


ROW = "<tr><td valign=top><b>{}</b></td><td>{}</td></tr>"
GREY = "<div class=c-c><div class=c-n>{}</div><div class=c-x>{}</div></div>"
COMMENTS = {
    "comments in a table without names": (
        f"<table><tr><td>{H1}{TEXT}</td>{BESIDE}</tr></table>"
        f"<table><tr><th colspan=2>What our readers say</th></tr>{remarks(ROW)}</table>"
    ),
    "comments in elements whose names mean nothing": (
        f"<div class=c-page><header>{H1}</header><div class=c-b>{TEXT}</div></div>"
        f"<div class=c-t><div class=c-l>What our readers say</div>{remarks(GREY)}</div>"
    ),
    "comments in sections": (
        f"<main><article>{H1}{TEXT}</article></main><section><h2>The word is yours</h2>"
        f"{remarks('<section><p>{}</p><p>{}</p></section>')}</section>"
    ),
}
LINKS = "<a href=/tower>Six towers get a sensor this year</a> <a href=/fog>How fog comes about over cold water</a>"


def with_popup(popup: str) -> str:
    head, tail = SENTENCES[2].split(", ", 1)
    inside = f"<p>{head}{popup}, {tail}</p>"
    return f"<article>{H1}{paragraphs(SENTENCES[:2])}{inside}{paragraphs(SENTENCES[3:])}</article>"


POPUPS = {
    "a tooltip in a paragraph": with_popup(f"<span class=tooltip-box>{LINKS}</span>"),
    "a layer in a paragraph": with_popup(f'<span role="dialog" class="popover" hidden>{LINKS}</span>'),
    "a layer that a style library shows": with_popup(
        f'<span class="absolute invisible group-hover:visible"><b>More on the coast</b> {LINKS}</span>'
    ),
    "an overlay that is not shown": with_popup(f'<span class="info-overlay" style="display:none">{LINKS}</span>'),
}
POST = "The lamp is lit, and for the first time I am looking at it from my kitchen. Thank you all for coming tonight."
POSTS = {
    "a post as a quotation": (
        f'<blockquote class="twitter-tweet"><p>{POST}</p>&mdash; The Keeper (@oldlamp) '
        '<a href="https://x.example/1">May 8, 2026</a></blockquote>'
    ),
    "a post with its furniture": (
        '<blockquote class="instagram-media"><a href="https://i.example/1">View this post on Instagram</a>'
        f"<p>{POST}</p>"
        '<p><a href="https://i.example/1">A post shared by The Keeper (@oldlamp)</a></p></blockquote>'
    ),
    "a post in a box": (
        '<div class="embed"><div class="embed-head"><span>The Keeper</span> <span>@oldlamp@sea.example</span></div>'
        f"<blockquote><p>{POST}</p></blockquote>"
        '<div class="actions"><button>Reply</button><button>Boost</button></div></div>'
    ),
}
FURNITURE = ("(@oldlamp)", "View this post", "shared by", "@oldlamp@sea", "Reply", "Boost")
COMPANY = (
    "Lantern Works was founded in 1902, builds lamps for harbours and lighthouses, and employs four hundred people."
)
NOTES = {
    "a company under a heading": f"<article>{H1}{TEXT}<h2>About Lantern Works</h2><p>{COMPANY}</p></article>",
    "a company under a label": f"<div class=release>{H1}{TEXT}<p><b>About Lantern Works</b></p><p>{COMPANY}</p></div>",
    "a company in one paragraph": (
        f"<main>{H1}<div>{TEXT}<p><strong>About Lantern Works</strong><br>{COMPANY}</p></div></main>"
    ),
}
CAPTION = "The keeper on the stairs on Friday. Photo: Harbour staff"
SHOWN = {
    "a caption of a figure": f'<figure><img src="/a.jpg" alt=""><figcaption>{CAPTION}</figcaption></figure>',
    "a caption with a name that means nothing": (
        f'<div class="c-m"><img src="/a.jpg" alt=""><span class="c-k">{CAPTION}</span></div>'
    ),
    "a caption in a table": (
        f'<table align=right><tr><td><img src="/a.jpg" alt=""><br><font size=1>{CAPTION}</font></td></tr></table>'
    ),
}
RESULTS = [f"<tr><td>{n}</td><td>Boat {name}</td><td>1:0{n}:42</td></tr>" for n, name in enumerate("ABCDEFGH", 1)]
INTRO = paragraphs(SENTENCES[:2])
TOWERS = {
    "The North Head": "The oldest tower of the coast leans by a hand, and nobody knows since when. Built in 1783 of "
    "stones from the old chapel, and its lamp burned oil of whales until the first gas works opened in the town.",
    "The Needle": "It stands on a rock without a landing, so that the keeper came and went in a basket. In "
    "the winter of 1911 nobody could leave it for seven weeks, and bread was made of the ship's biscuits.",
    "The Twins": "Two lamps, one above the other, told the captains where the sandbank ends. The lower one came down "
    "when the sand had moved, and stands in front of the school, where children paint it every second summer.",
}


def towers() -> str:
    return "".join(f"<div><h2>{place}</h2><p>{text}</p></div>" for place, text in TOWERS.items())


LISTS = {
    "results in a table with a text without an element below it": Block(
        f"<div>{H1}{TEXT}<table>{''.join(RESULTS)}</table>{POST}<p>{SENTENCES[0]}</p></div>",
        (*SENTENCES, "Boat A", "Boat H", POST),
    ),
    "a list of places": Block(
        f"<main>{H1}{INTRO}{towers()}</main>",
        (*SENTENCES[:2], *TOWERS.values()),
    ),
}


def around(part: str) -> str:
    return f"<article>{H1}{paragraphs(SENTENCES[:4])}{part}{paragraphs(SENTENCES[4:])}</article>"


TURNS = ["Did you sleep?", "No.", "Why not?", "The horn is gone."]
SQUAD = ["Mark Hill", "Ana Torres", "John Doe", "Max Moritz"]
SHORT_PARTS = {
    "an interview in paragraphs": around("".join(f"<p>{turn}</p>" for turn in TURNS)),
    "an interview with names": around("".join(f"<p><strong>Coast:</strong> {turn}</p>" for turn in TURNS)),
}
NAMES = {
    "a list of names": around(f"<h2>The new crew</h2><ul>{''.join(f'<li>{name}' for name in SQUAD)}</ul>"),
    "a list of names and parts": around(
        f"<dl>{''.join(f'<dt>Part {n}<dd>{name}' for n, name in enumerate(SQUAD))}</dl>"
    ),
}
OFFER = "Get unlimited access to all our articles for one euro a month, with the app, the archive and the puzzles."
OFFERS = {
    "an offer without a name": f"<div class=c-w><h3>Subscribe to continue reading</h3><p>{OFFER}</p></div>",
    "an offer of a paywall": f"<div class=paywall><div><h2>Subscribe now</h2></div><p>{OFFER}</p></div>",
    "an offer in a section": f"<section><h4>Sign up for the coast</h4><p>{OFFER}</p><p>{OFFER}</p></section>",
}
AD = "<p>Buy the new garden chair now and save forty per cent until Sunday in all of our shops by the sea.</p>"
LETTER = "Every morning the news of the coast in your mailbox: subscribe to our letter and read it before the others."
CUTS = {
    "an advert between two parts": (
        f"<div class=story>{H1}<div class=part>{paragraphs(SENTENCES[:3])}</div><div class=ad-slot><span>Advertisement"
        f"</span>{AD}</div><div class=part>{paragraphs(SENTENCES[3:])}</div></div>"
    ),
    "a box of a newsletter between two parts": (
        f"<article>{H1}{paragraphs(SENTENCES[:3])}<div class=newsletter-box><h3>Our letter</h3><p>{LETTER}</p>"
        f"<form><input name=mail><button>Subscribe</button></form></div>{paragraphs(SENTENCES[3:])}</article>"
    ),
}


def whole(
    bodies: Mapping[str, str], wanted: Sequence[str] = SENTENCES, unwanted: Sequence[str] = ()
) -> dict[str, Block]:
    return {kind: Block(body, wanted, unwanted) for kind, body in bodies.items()}


SPLIT = (*SENTENCES[:2], *SENTENCES[3:], *SENTENCES[2].split(", ", 1))
BLOCKS: dict[str, Block] = {
    **whole(COMMENTS, SENTENCES, tuple(REMARKS.values())),
    **whole(POPUPS, SPLIT, ("get a sensor", "cold water")),
    **whole({kind: around(post) for kind, post in POSTS.items()}, (*SENTENCES, POST), FURNITURE),
    **whole(NOTES, (*SENTENCES, COMPANY)),
    **whole({kind: around(shown) for kind, shown in SHOWN.items()}, SENTENCES, ("on the stairs", "Harbour staff")),
    **LISTS,
    **whole(SHORT_PARTS, (*SENTENCES, *TURNS)),
    **whole(NAMES, (*SENTENCES, *SQUAD)),
    **whole({kind: f"<article>{H1}{TEXT}{offer}</article>" for kind, offer in OFFERS.items()}, SENTENCES, (OFFER,)),
    **whole(CUTS, SENTENCES, ("garden chair", "mailbox", "Our letter", "get a sensor", "cold water")),
}


@pytest.mark.parametrize("chain", ["classic", "best"])
@pytest.mark.parametrize("kind", BLOCKS)
def test_the_text_has_what_belongs_to_it_and_nothing_else(kind: str, chain: str) -> None:
    block = BLOCKS[kind]
    html = f"<html lang=en><head><title>{TITLE} - Harbour</title></head><body>{block.body}</body></html>"
    text = " ".join(extract(html, URL, chain=chain).text.split())
    assert [part for part in block.wanted if part not in text] == []
    assert [part for part in block.unwanted if part in text] == []
