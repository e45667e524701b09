"""Pages of news sites that are no articles: fronts, sections, tags, authors, searches, shops, jobs and events.

Thirty pages in ten languages (tests/data/kind_pages/words.toml) and in three styles of mark-up: `semantic` (HTML5 and
JSON-LD, as today's systems write it), `boxes` (nested divs with class names) and `tables` (as pages of 2005 were).
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

WORDS_FILE: Final = Path(__file__).parents[1] / "data" / "kind_pages" / "words.toml"
STYLES: Final = ("semantic", "boxes", "tables")
LISTINGS: Final = {"front": 30, "section": 20, "tag": 15, "author": 12, "search": 15}
"""The listings, and how many teasers each has."""
PAGES: Final = (*LISTINGS, "shop", "job", "event")
RIGHT: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(LISTINGS, frozenset({"listing"})),
    "shop": frozenset({"product", "listing"}),
    "job": frozenset({"service"}),
    "event": frozenset({"service"}),
}
"""The right verdicts. A shop's page lists products: both kinds describe it."""
_TYPES: Final = {
    "section": "CollectionPage",
    "author": "ProfilePage",
    "search": "SearchResultsPage",
    "job": "JobPosting",
    "event": "Event",
}
_ADDRESSES: Final = {
    "semantic": "/ /themen-1 /tag/bridge /author/1042 /search?q=bridge /shop /jobs/editor /events/readers",
    "boxes": "/ /category/city/ /tag/bridge/ /author/editor/ /?s=bridge /shop/ /careers/editor-42/ /event/evening/",
    "tables": "/index.php /list.php?id=4 /tags.php?tag=7 /autor.php?id=12 /find.php?q=x /shop.php /job.php?id=3 "
    "/termin.php?id=9",
}


@dataclass(frozen=True, slots=True)
class OwnPage:
    """A page of a news site that is no article."""

    language: str
    page: str
    style: str
    url: str
    html: str

    @property
    def name(self) -> str:
        return f"{self.language}-{self.page}-{self.style}"


def own_pages() -> list[OwnPage]:
    """Returns the thirty pages: three of each language, each in another style; every page in every style at least
    once."""
    words = tomllib.loads(WORDS_FILE.read_text(encoding="utf-8"))
    pages = []
    for number, language in enumerate(language for language in words for _ in STYLES):
        page, style = PAGES[(number + number // 24) % len(PAGES)], STYLES[number % len(STYLES)]
        url = f"https://paper.example{_ADDRESSES[style].split()[PAGES.index(page)]}"
        html = _Writer(language, words[language], style).page(page)
        pages.append(OwnPage(language, page, style, url, html))
    return pages


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the pages of one site."""

    language: str
    words: Mapping[str, Any]
    style: str

    def page(self, page: str) -> str:
        w = self.words
        titles = {"front": w["paper"], "section": w["menu"][7], "tag": w["menu"][4], "author": w["author"]}
        titles |= {"search": f"12 {w['results']} {w['menu'][5]}", "shop": w["goods"][1]}
        title = titles.get(page) or w[page]
        main = self._listing(page, title) if page in LISTINGS else getattr(self, f"_{page}")(title)
        return self._frame(page, title, main)

    def _frame(self, page: str, title: str, main: str) -> str:
        w = self.words
        links = [f'<a href="/s/{n}">{name}</a>' for n, name in enumerate(w["menu"])]
        ask = f'<form action="/find"><input name="q"><button>{w["search"]}</button></form>'
        legal = [f'<a href="/i/{n}">{w["paper"]} {n}</a>' for n in range(1, 9)]
        head = f"<title>{title} | {w['paper']}</title><meta charset=utf-8>"
        if self.style == "semantic":
            stated = json.dumps({"@context": "https://schema.org", "@type": _TYPES.get(page, "WebSite"), "name": title})
            head += f'<meta property="og:type" content="website"><script type="application/ld+json">{stated}</script>'
            top = f"<header><a href=/>{w['paper']}</a><nav><ul>{_items(links)}</ul></nav>{ask}</header>"
            body = f"{top}<main>{main}</main><footer><ul>{_items(legal)}</ul></footer>"
        elif self.style == "boxes":
            top = f'<div class="header"><div class="logo">{w["paper"]}</div><ul class="menu">{_items(links)}</ul>'
            body = (
                f'{top}<div class="search">{ask}</div></div><div id="content" class="container">{main}</div>'
                f'<div class="footer"><ul class="links">{_items(legal)}</ul></div>'
            )
        else:
            left = "".join(f"<tr><td>{link}</td></tr>" for link in links)
            body = (
                f"<table width=100%><tr><td colspan=2><b>{w['paper']}</b> {ask}</td></tr><tr><td><table>{left}</table>"
                f"</td><td>{main}</td></tr><tr><td colspan=2>{' | '.join(legal)}</td></tr></table>"
            )
        return f'<!doctype html><html lang="{self.language}"><head>{head}</head><body>{body}</body></html>'

    def _heading(self, text: str) -> str:
        return f"<p><font size=5><b>{text}</b></font></p>" if self.style == "tables" else f"<h1>{text}</h1>"

    def _listing(self, page: str, title: str) -> str:
        w = self.words
        before = self._heading(title)
        if page == "author":
            before += f'<img src="/a.jpg" alt="{escape(title)}"><p>{w["about_author"]}</p>'
        teasers = [self._teaser(number, with_picture=page != "search") for number in range(LISTINGS[page])]
        pager = "".join(f'<a href="?page={n}">{n}</a> ' for n in range(2, 8))
        if self.style == "tables":
            return f"{before}<table>{''.join(teasers)}</table><p>{pager}</p>"
        return f'{before}<div class="list">{"".join(teasers)}</div><div class="pager">{pager}</div>'

    def _teaser(self, number: int, *, with_picture: bool) -> str:
        w = self.words
        headline, text = _of(w["headlines"], number), _of(w["teasers"], number + number // 6)
        href, day = f"/2026/11/{number + 100}.html", f"{1 + number % 28:02}.11.2026"
        picture = f'<img src="/p/{number}.jpg" alt="">' if with_picture else ""
        if self.style == "semantic":
            return (
                f'<article><a href="{href}">{picture}</a><h2><a href="{href}">{headline}</a></h2><p>{text}</p>'
                f'<time datetime="2026-11-{1 + number % 28:02}">{day}</time></article>'
            )
        if self.style == "boxes":
            return (
                f'<div class="teaser"><div class="teaser__image">{picture}</div><h3 class="teaser__title"><a '
                f'href="{href}">{headline}</a></h3><div class="teaser__text">{text}</div><div class="teaser__date">'
                f'{day}</div><a class="more" href="{href}">{w["more"]}</a></div>'
            )
        return (
            f"<tr><td>{picture}</td><td><a href={href}><b>{headline}</b></a><br>{day}<br>{text} "
            f"<a href={href}>{w['more']}</a></td></tr>"
        )

    def _shop(self, title: str) -> str:
        w = self.words
        goods = []
        for number in range(12):
            name, price = _of(w["goods"], number), w["price"].format(9 + number)
            buy = f'<form action="/cart"><button name="id" value="{number}">{w["buy"]}</button></form>'
            link = f'<a href="/shop/{number}"><img src="/g/{number}.jpg" alt="">{name}</a>'
            if self.style == "tables":
                goods.append(f"<tr><td>{link}</td><td>{w['about_good']}</td><td>{price}</td><td>{buy}</td></tr>")
            else:
                tag = "li" if self.style == "semantic" else "div"
                goods.append(
                    f'<{tag} class="product">{link}<p>{w["about_good"]}</p><span class="price">{price}</span>'
                    f"{buy}</{tag}>"
                )
        holder = {"semantic": "ul", "boxes": "div", "tables": "table"}[self.style]
        return f"{self._heading(title)}<{holder}>{''.join(goods)}</{holder}>"

    def _job(self, title: str) -> str:
        w = self.words
        duties = f"<ul>{_items(w['duties'])}</ul>"
        return (
            f"{self._heading(title)}<p>{w['paper']}, {w['place']}</p><p>{w['about_event']}</p>{duties}{duties}"
            f"{self._form(w['apply'])}<p><a href=/jobs>{w['more']}</a></p>"
        )

    def _event(self, title: str) -> str:
        w = self.words
        when = "27.11.2026, 19:30"
        others = _items([f'<a href="/e/{n}">{w["event"]} {n}.12.</a>' for n in range(1, 7)])
        return (
            f"{self._heading(title)}<img src=/e.jpg alt=''><p>{when}</p><p>{w['place']}</p><p>{w['about_event']}</p>"
            f"{self._form(w['register'])}<ul>{others}</ul>"
        )

    def _form(self, button: str) -> str:
        fields = "".join(
            f"<p><label>{name}</label> <input name=f{n}></p>" for n, name in enumerate(self.words["menu"][:4])
        )
        return f"<form action=/send method=post>{fields}<textarea name=text></textarea><button>{button}</button></form>"


def _items(items: Sequence[str]) -> str:
    return "".join(f"<li>{item}</li>" for item in items)


def _of(values: Sequence[str], number: int) -> str:
    return values[number % len(values)]
