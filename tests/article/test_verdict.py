"""The verdict of pages of each kind in several languages, and of articles that are similar to each kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawl.extraction.article.extracted import Extracted, extract
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.extraction.article.signals import Signals
from newscrawl.extraction.article.verdict import ARTICLES, judge, listing
from newscrawl.model import RawPage

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
URL = "https://paper.example/2026/11/01/story-of-the-day"
EN = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
DE = "Der Stadtrat hat am Montagabend beschlossen, die neue Brücke zu bauen, die sich viele gewünscht hatten. "
ES = "El ayuntamiento decidió el lunes por la noche construir el nuevo puente que muchos vecinos habían pedido. "
FR = "Le conseil municipal a décidé lundi soir de construire le nouveau pont que beaucoup avaient demandé. "
MENU = "<nav><ul><li><a href=/>Home</a><li><a href=/sport>Sport</a><li><a href=/arts>Arts</a></ul></nav>"
FOOTER = "<footer><p>All rights reserved</p></footer>"


def page(title: str, body: str, head: str = "", *, headline: str | None = None, around: bool = True) -> str:
    h1 = f"<h1>{headline}</h1>" if headline else ""
    menu, footer = (MENU, FOOTER) if around else ("", "")
    return (
        f"<html><head><title>{title}</title>{head}</head><body>{menu}<main><div>{h1}{body}</div></main>{footer}</body>"
    )


def paragraphs(sentence: str, count: int = 6) -> str:
    return f"<p>{sentence * 3}</p>" * count


def ld(**properties: Any) -> str:
    return f"<script type=application/ld+json>{json.dumps({'@context': 'https://schema.org', **properties})}</script>"


def og(kind: str) -> str:
    return f'<meta property="og:type" content="{kind}">'


def teasers(names: str, text: str, *, tag: str = "div") -> str:
    return "".join(
        f"<{tag}><h2><a href=/{i}>{name} number {i} and what it means for the town</a></h2><p>{text}</p></{tag}>"
        for i, name in enumerate(names.split() * 2)
    )


def links(words: str, count: int = 24) -> str:
    return "<ul>" + "".join(f"<li><a href=/{i}>{words} {i}</a>" for i in range(count)) + "</ul>"


def judged(html: str, url: str | None = URL) -> Extracted:
    return extract(html, url, fetched_at=NOW)


STORY = page("The bridge will be built | Paper", paragraphs(EN), headline="The bridge will be built")

CONSENT_EN = (
    "<p>We and our 142 partners store and access information on a device, such as cookies, and process personal data "
    "for personalised ads and content.</p><p>With your consent we and our partners may use precise location data. Some "
    "partners rely on legitimate interest and do not ask for your consent.</p><p>Read our privacy policy to learn how "
    "cookies and tracking work.</p><button>Accept all</button><button>Settings</button>"
)
CONSENT_DE = (
    "<p>Wir und unsere Partner speichern Cookies auf Ihrem Endgerät und verarbeiten personenbezogene Daten für "
    "personalisierte Werbung.</p><p>Mit Ihrer Einwilligung erlauben Sie uns Cookies und Tracking; manche Partner "
    "berufen sich auf ein berechtigtes Interesse.</p><button>Alle akzeptieren</button><button>Einstellungen</button>"
)
CONSENT_FR = (
    "<p>Nos partenaires et nous déposons des cookies sur votre appareil pour des publicités personnalisées.</p>"
    "<p>Avec votre consentement, nos partenaires traitent des données personnelles ; certains invoquent leur intérêt "
    "légitime sans demander votre consentement.</p><button>Tout accepter</button>"
)

KINDS: dict[str, list[tuple[str, str]]] = {
    "bot_wall": [
        (URL, page("Just a moment...", "<p>Enable JavaScript and cookies to continue</p>", around=False)),
        (URL, page("Attention Required! | Cloudflare", "<h2>Sorry, you have been blocked</h2>", around=False)),
        (URL, page("paper.example", "<p>Please verify you are human.</p><div class=px-captcha>Press and hold</div>")),
        (URL, page("Nur einen Moment…", "<p>paper.example muss die Sicherheit prüfen.</p>", around=False)),
        (URL, page("Access Denied", f"<p>You don't have permission to access {URL} on this server.</p>")),
        (URL, page("Verificación", "<p>Confirme que no es un robot: hemos visto tráfico inusual en su red.</p>")),
        (URL, page("Один момент…", "<p>Подтвердите, что вы человек</p>", around=False)),
    ],
    "soft_404": [
        (URL, page("404 | Paper", "<p>Sorry!</p>")),
        (URL, page("Page not found - Paper", f"<p>Perhaps you like these:</p>{links('A story about the town')}")),
        (URL, page("Paper", "<p>Die Adresse ist falsch.</p>", headline="Seite nicht gefunden")),
        (URL, page("Página no encontrada | Diario", f"<p>{ES}</p>", og("article"))),
        (URL, page("Le Journal", "<p>La page que vous recherchez a été déplacée ou supprimée.</p>")),
        (URL, page("Oops! Error 404", "<p>Try the search.</p>")),
        (URL, page("ページが見つかりません | 新聞", "<p>トップページに戻る</p>")),
    ],
    "consent": [
        (URL, page("We value your privacy", CONSENT_EN)),
        ("https://consent.paper.example/collect?back=story", page("Paper", CONSENT_EN, around=False)),
        (URL, page("Ihre Privatsphäre | Zeitung", CONSENT_DE)),
        ("https://journal.example/privacy-gate", page("Le Journal", CONSENT_FR)),
        # The story itself comes by script; all that can be read is the banner.
        (URL, page("Bridge opens early | Paper", CONSENT_EN, ld(**{"@type": "NewsArticle", "headline": "Bridge"}))),
    ],
    "listing": [
        ("https://paper.example/", page("Paper", teasers("Bridge Harbour Market School Theatre", EN), og("website"))),
        ("https://zeitung.example/thema/bruecke", page("Brücke", teasers("Brücke Hafen Markt Schule Bühne", DE))),
        (
            "https://paper.example/category/town",
            page("Town", f"<p>All of it.</p>{links('The council met again about')}"),
        ),
        (
            "https://diario.example/ultimas",
            page("Últimas", teasers("Puente Puerto Mercado", ES, tag="article"), ld(**{"@type": "CollectionPage"})),
        ),
        ("https://courant.example/sports/cyclisme", page("Cyclisme", teasers("Pont Port Marché École Gare", FR))),
        ("https://journal.example/auteur/anne", page("Anne", teasers("Pont Port Marché École", FR, tag="article"))),
    ],
    "video": [
        (URL, page("The bridge from above", "<video></video><p>The bridge from above.</p>", og("video.other"))),
        (URL, page("El puente desde el aire", f"<p>{ES}</p>", ld(**{"@type": "VideoObject", "name": "El puente"}))),
        ("https://paper.example/video/bridge", page("The bridge", "<p>Watch it here.</p>")),
        ("https://zeitung.example/mediathek/bruecke", page("Die Brücke", f"<p>{DE}</p>")),
    ],
    "gallery": [
        (URL, page("Pictures of the day", "<p>Eleven pictures.</p>", ld(**{"@type": "ImageGallery", "name": "Day"}))),
        ("https://zeitung.example/fotostrecke/b", page("Die Brücke in Bildern", f"<p>{DE}</p>")),
        ("https://diario.example/galerias/puente", page("El puente", "<p>Todas las fotos.</p>")),
        (URL, page("Le pont", f"<p>{FR}</p>", ld(**{"@type": "MediaGallery", "name": "Le pont"}))),
        (
            "https://paper.example/gallery/bridge",
            page("The bridge", f"<p>Ten pictures.</p>{f'<figure><figcaption>{EN}</figcaption></figure>' * 10}"),
        ),
    ],
    "live": [
        (URL, page("Election night", paragraphs(EN), ld(**{"@type": "LiveBlogPosting", "headline": "Election"}))),
        (URL, page("Wahlabend", paragraphs(DE), ld(**{"@type": ["LiveBlogPosting"], "headline": "Wahlabend"}))),
        (
            "https://paper.example/live-blog/storm",
            page("Storm", "".join(f"<time>1{i}:00</time><p>{EN * 3}</p>" for i in range(9))),
        ),
        (
            URL,
            page("La noche electoral, en directo", "".join(f"<time>2{i}:00</time><p>{ES * 3}</p>" for i in range(9))),
        ),
    ],
    "paywalled": [
        (
            URL,
            page("Bridge", f"<p>{EN * 4}</p>", ld(**{"@type": "NewsArticle", "isAccessibleForFree": "False"})),
        ),
        (URL, page("Brücke", f"<p>{DE * 5}</p><div>Jetzt weiterlesen</div>")),
        (URL, page("Le pont", f"<p>{FR * 5}</p><div>Cet article est réservé aux abonnés</div>", og("article"))),
        (
            URL,
            page(
                "Puente",
                paragraphs(ES, 3),
                ld(**{"@type": "NewsArticle", "isAccessibleForFree": False, "wordCount": 1200}),
            ),
        ),
        (URL, page("Bridge", f"<p>{EN * 5}</p>", '<meta name="article:content_tier" content="locked">')),
    ],
    "short": [
        (URL, page("Bridge", f"<p>{EN}</p>")),
        (URL, page("Brücke", f"<p>{DE}</p>")),
        (URL, page("Puente", f"<p>{ES}</p>", og("article"))),
        (URL, page("Le pont", f"<p>{FR}</p>", ld(**{"@type": "NewsArticle", "headline": "Le pont"}))),
    ],
    "empty": [
        (URL, ""),
        (URL, "<html></html>"),
        (URL, "<script>render()</script>"),
        (URL, page("", "", around=False)),
    ],
}


@pytest.mark.parametrize(
    ("verdict", "url", "html"), [(kind, url, html) for kind, pages in KINDS.items() for url, html in pages]
)
def test_a_page_of_each_kind_is_told_with_its_evidence(verdict: str, url: str, html: str) -> None:
    found = judged(html, url)
    assert found.verdict == verdict, found.evidence
    assert bool(found.evidence) == (verdict not in {"short", "empty"})
    assert [p for p in found.problems if p.startswith(f"{verdict}: ")] == [f"{verdict}: {e}" for e in found.evidence]


NEAR = {
    "a story": STORY,
    "about a bot wall": page("Just a moment: how bot walls keep readers out", paragraphs(EN + "Are you a robot? ")),
    "titled like a wall": page("Access denied", paragraphs(EN), headline="Access denied"),
    "with a captcha in its comment form": page("Bridge", paragraphs(EN) + "<form class=g-recaptcha>I am not a robot"),
    "about an error": page("404: Page not found, a history of link rot", paragraphs(EN)),
    "a film called so": page("Not found | Paper", paragraphs(EN, 8), headline="Not found"),
    "that says what is missing": page("Archive", paragraphs(EN) + "<p>The page you are looking for has burned.</p>"),
    "about cookies": page(
        "What consent to cookies means for readers",
        "<p>Readers see a request for consent and cookies on every page, and partners of publishers wait for it.</p>"
        "<p>For cookies on a device the law wants consent, said the court, and readers mean it.</p>"
        + paragraphs("Publishers ask readers for consent to cookies, and readers click whatever is largest. ", 4)
        + "<button>Accept all</button>",
    ),
    "about cookies in German": page(
        "Urteil zu Einwilligung: Was Leser jetzt wissen müssen",
        paragraphs("Das Gericht verlangt für Cookies eine Einwilligung, die Leser verstehen, auch für Tracking. ")
        + "<button>Alle akzeptieren</button>",
    ),
    "below a consent banner": page("The bridge", f"<div class=banner>{CONSENT_EN}</div>{paragraphs(EN, 9)}"),
    "with many links below": page("The bridge", paragraphs(EN) + links("The council met again about"), og("website")),
    "with teasers below": page("The bridge", f"<div>{paragraphs(EN, 9)}</div>" + teasers("Harbour Market", EN[:40])),
    "with linked headings of its own": page(
        "Five books", "".join(f"<h2><a href=/{i}>Book number {i} of them</a></h2><p>{EN * 9}</p>" for i in range(4))
    ),
    "with a video": page("The bridge", "<video></video>" + paragraphs(EN), og("video.other")),
    "about pay": page(
        "How to read the full article for nothing", paragraphs(EN) + "<a>Already a subscriber? Log in</a>"
    ),
    "free for all": page("B", paragraphs(EN), ld(**{"@type": "NewsArticle", "isAccessibleForFree": True})),
    "for payers and whole": page("B", paragraphs(EN), ld(**{"@type": "NewsArticle", "isAccessibleForFree": False})),
    "from a live desk": page("Our live updates: how we make them", paragraphs(EN)),
}


@pytest.mark.parametrize("name", NEAR)
def test_an_article_that_comes_close_stays_one(name: str) -> None:
    found = judged(NEAR[name])
    assert found.verdict == "article", found.evidence


@pytest.mark.parametrize(
    ("url", "verdict"),
    [("https://paper.example/", "article"), ("https://paper.example/category/x", "article"), (None, "article")],
)
def test_an_address_alone_decides_nothing(url: str | None, verdict: str) -> None:
    assert judged(STORY, url).verdict == verdict


DATED = teasers("Bridge Harbour Market School Theatre Station Bank", f"{EN}</p><p>01.11.2026")


@pytest.mark.parametrize(
    ("url", "by_rule"),
    [
        ("https://paper.example/?s=bridge", True),
        ("https://paper.example/search?q=bridge", True),
        ("https://paper.example/tag/bridge", True),
        ("https://paper.example/story.asp?s=7612", False),
        ("https://paper.example/town/council/story?q=7", False),
        (None, False),
    ],
)
def test_links_to_articles_on_a_page_of_a_section_or_search_are_a_listing(url: str | None, by_rule: bool) -> None:
    found = judged(page("bridge", DATED), url)
    evidence = list(listing(found.signals))
    assert bool(evidence) is by_rule
    assert not by_rule or any("linked headings among the text" in one for one in evidence)


@pytest.mark.parametrize("url", ["", "http://[", "paper", "http://", "http://paper.example:no/", "/a/b", "\0"])
def test_an_address_that_is_none_is_no_sign(url: str) -> None:
    assert judged(STORY, url).verdict == "article"


def test_a_short_article_with_a_date_below_a_video_address_that_declares_itself_stays_one() -> None:
    html = page("Bridge", f"<p>{EN}</p>", ld(**{"@type": "NewsArticle", "datePublished": "2026-10-01T10:00:00Z"}))
    assert judged(html, "https://paper.example/video/bridge").verdict == "short"


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"empty"}))
def test_what_is_no_article_becomes_a_failure_that_tells_its_kind(kind: str) -> None:
    for url, html in KINDS[kind]:
        raw = RawPage(url, url, 200, {"content-type": "text/html; charset=utf-8"}, html.encode(), NOW, "paper")
        made = make_article(raw, ArticleOptions())
        if kind in ARTICLES:
            assert made.article is not None
            assert made.article.verdict == kind
        else:
            assert made.failure is not None
            assert made.failure.code == f"verdict/{kind}"
            assert made.failure.reason


def test_the_demo_sites_own_lists_are_listings_and_its_stories_articles() -> None:
    from newscrawl.demo.site import ORIGIN, DemoSite

    site = DemoSite()
    front = site.answer("GET", "/").body
    assert extract(front, f"{ORIGIN}/", fetched_at=NOW).verdict == "listing"


def test_judging_is_linear_in_the_page(doubling: Callable[..., None]) -> None:
    def read(count: int) -> Extracted:
        found = judged(page("Bridge", f"<div><p>{EN}</p><p>Accept all cookies with our partners</p></div>" * count))
        assert found.extraction.text
        assert found.verdict in ARTICLES
        return found

    doubling(lambda found: judge(Signals(found.page, found.extraction, found.reader)), read, 100)
