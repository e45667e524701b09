"""Days that readers see, and their weight compared with dates for machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.model import Metadata, PublishedDate

Read = Callable[..., Metadata]

LATER = "2024-05-20T08:00:00Z"


def day(found: PublishedDate | None) -> tuple[str, str] | None:
    return (found.when.date().isoformat(), found.source) if found else None


H1 = "<h1>The bridge</h1>"
ASIDE = "<aside><time datetime='2023-01-02'>2 January 2023</time> Another story</aside>"
LONG_LINE = "Updated 9:01 AM EST, Mon May 20, 2024 | Published 5:30 PM EST, Fri May 17, 2024"
FIRST, CHANGED = ("2024-05-17", "headline"), ("2024-05-20", "headline:updated")
ONLY = ("2024-05-17", "headline:updated")

SHOWN: list[tuple[str, tuple[str, str] | None, tuple[str, str] | None]] = [
    (
        (
            f"{H1}<p><a>Ada Example</a> <time datetime='2024-05-17T12:30:00+02:00'>an hour ago</time></p><p>Joined</p>"
            "<p>11 May 2017</p>"
        ),
        ("2024-05-17", "time"),
        None,
    ),
    (f"{H1}<p>17 May 2024</p>{ASIDE}", FIRST, None),
    (f"{H1}{ASIDE}<p>17 May 2024</p>", ("2023-01-02", "time"), None),
    (f"{H1}<p>Updated <time datetime='2024-05-20'>20 May 2024</time></p><p>17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<div>Updated on</div><div>20 May 2024</div><p>17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<div>Dernière mise à jour :</div><div>20 May 2024</div><p>17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<div>Zuletzt aktualisiert</div><div>20 May 2024</div><p>17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Zuletzt aktualisiert am 17. Mai 2024</p>", ONLY, ONLY),
    (f'{H1}<abbr class="published-date" title="2024-05-17T12:30:00Z">17 May</abbr>', ("2024-05-17", "class"), None),
    (f"{H1}<p>Stand: 20.05.2024, 17:40 Uhr</p><p>Erstmals publiziert: 17.05.2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Stand: 20.05.2024, 17:40 Uhr</p>", CHANGED, CHANGED),
    (f"{H1}<p><a>Health</a><span>MAY 17, 2024</span><span>Updated: MAY 20, 2024</span></p>", FIRST, CHANGED),
    (f"{H1}<p>{LONG_LINE}</p>", FIRST, CHANGED),
    (f"{H1}<p>By Ada Example on Friday, May 17, 2024 at 5:30 p.m.</p>", FIRST, None),
    (f"{H1}<p>Published 17 May 2024, updated 20 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Updated 20 May 2024 | Published 17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<p>17.05.2024 (aktualisiert: 20.05.2024)</p>", FIRST, CHANGED),
    (f"{H1}<p>Mis à jour le 20 mai 2024</p>", CHANGED, CHANGED),
    (f"{H1}<p>更新日 2024年5月20日</p>", CHANGED, CHANGED),
    (f"{H1}<p>Обновлено 20 мая 2024</p>", CHANGED, CHANGED),
    (f"{H1}<p>تحديث 20 مايو 2024</p>", CHANGED, CHANGED),
    (f"{H1}<p>17.05.2024, Stand 20.05.2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Stand by me, 17 May 2024</p>", FIRST, None),
    (f"{H1}<p>17 May 2024Updated: 20 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Foto: Die Brücke am 4. Mai 2019</p>", None, None),
    (f"{H1}<p>© 2024 The Globe</p>", None, None),
    (f"{H1}<p>Registriert: 18.09.2008</p>", None, None),
    (f"{H1}<p>Member since 11 May 2017</p>", None, None),
    (f"{H1}<figure><img src=a.jpg><figcaption>The bridge on 4 May 2019</figcaption></figure>", None, None),
    (f"{H1}<figure><img src=a.jpg><figcaption><div><p>On 4 May 2019</p></div></figcaption></figure>", None, None),
    (f"{H1}<p>The council will meet again on 3 December 2024 to discuss it.</p>", None, None),
]


@pytest.mark.parametrize(("body", "published", "modified"), SHOWN)
def test_the_days_that_readers_see_at_the_headline(
    read: Read, body: str, published: tuple[str, str] | None, modified: tuple[str, str] | None
) -> None:
    page = read(body=body)
    assert (day(page.published), day(page.modified)) == (published, modified)


def test_a_meta_element_and_the_line_at_the_headline_outvote_json_ld(read: Read) -> None:
    head = f'<meta property="article:published_time" content="{LATER}">'
    article = {"@type": "NewsArticle", "datePublished": "2024-05-02T08:00:00Z"}
    line = "<h1>The bridge</h1><p>20 May 2024</p>"
    assert day(read(head, line, ld=article).published) == ("2024-05-20", "meta:article:published_time")
    assert day(read(head, "<h1>The bridge</h1>", ld=article).published) == ("2024-05-02", "json-ld:datePublished")
    changed = article | {"dateModified": LATER}
    assert day(read(head, line, ld=changed).published) == ("2024-05-02", "json-ld:datePublished")


def test_an_earlier_day_right_behind_the_headline_beats_the_day_of_the_last_rewriting(read: Read) -> None:
    article = {"@type": "Article", "datePublished": LATER, "dateModified": LATER}
    body = "<h1>The bridge</h1><p>17 May 2023</p>"
    assert day(read(body=body, ld=article).published) == ("2023-05-17", "headline")


@pytest.mark.parametrize(
    ("body", "changes", "url"),
    [
        ("<h1>The bridge</h1><p>In the flood of 17 May 2023.</p>", {}, None),
        ("<h1>The bridge</h1><p><a href=/old>17 May 2023</a></p>", {}, None),
        ("<h1>The bridge</h1><p>17 May 2023</p>", {"dateModified": "2024-06-20"}, None),
        ("<h1>The bridge</h1><p>17 May 2023</p>", {}, "https://example.com/2024/05/the-bridge"),
        (f"<h1>The bridge</h1>{'<p>So it is.</p>' * 5}<p>17 May 2023</p>", {}, None),
    ],
    ids=["a sentence", "a link", "changed later", "the address agrees", "further down"],
)
def test_otherwise_the_publication_stated_for_machines_stays(
    read: Read, body: str, changes: dict[str, str], url: str | None
) -> None:
    address: dict[str, Any] = {"url": url} if url else {}
    page = read(body=body, ld={"@type": "Article", "datePublished": LATER, **changes}, **address)
    assert day(page.published) == ("2024-05-20", "json-ld:datePublished")


def test_dublin_core_s_date_is_asked_after_the_visible_ones(read: Read) -> None:
    head = '<meta name="dcterms.date" content="2024-04-01"><meta name="date" content="2024-04-01">'
    assert day(read(head, "<h1>The bridge</h1><p>17 May 2024</p>").published) == ("2024-05-17", "headline")
    assert day(read(head, "<h1>The bridge</h1>").published) == ("2024-04-01", "meta:dcterms.date")


@pytest.mark.parametrize(
    ("key", "found"),
    [("w-published-date", True), ("shop:pub_date", True), ("posted_on", True), ("unpublish-date", False), ("x", False)],
)
def test_a_meta_element_may_name_the_publication_in_the_site_s_own_words(read: Read, key: str, found: bool) -> None:
    published = read(f'<meta name="{key}" content="2024-05-17">').published
    assert day(published) == (("2024-05-17", f"meta:{key}") if found else None)


def test_the_day_on_which_an_archive_copied_a_page_is_not_the_page_s(read: Read) -> None:
    archive = "https://web.archive.org/web/20240517101010id_"
    assert read(url=f"{archive}/http://example.com/story").published is None
    assert day(read(url=f"{archive}/http://example.com/2019/03/04/story").published) == ("2019-03-04", "url")


@pytest.mark.parametrize(
    ("lang", "url", "month"),
    [
        ("en", "https://example.com/story", 5),
        ("en-US", "https://example.co.uk/story", 6),
        ("en", "https://example.in/story", 6),
        ("en", "https://example.io/story", 5),
        ("en-GB", "https://example.com/story", 6),
        ("", "https://example.gov/story", 5),
        ("", "https://example.com/story", 5),
        ("de", "https://example.com/story", 6),
    ],
)
def test_figures_are_read_as_language_and_country_write_them(read: Read, lang: str, url: str, month: int) -> None:
    head = "<title>The bridge and the river</title>"
    published = read(head, "<h1>The bridge and the river</h1><p>05/06/2024</p>", lang=lang, url=url).published
    assert published is not None
    assert published.when.month == month


TEXT = "<p>The council opened the new bridge, and many people came from the villages to see it.</p>" * 6


@pytest.mark.parametrize(
    "line",
    ["Aktualisiert: 20.05.2024", "This page was last edited on 20 May 2024, at 12:30.", "Last updated: May 20, 2024"],
)
def test_the_change_at_the_end_of_a_page_is_used_if_it_states_no_other_day(read: Read, line: str) -> None:
    body = "<h1>The bridge</h1>" + "<p>It is open to all.</p>" * 20 + f"{TEXT}<p>{line}</p>"
    assert day(read(body=body).published) == ("2024-05-20", "text:updated")
    assert read(body=f"{body}<p>Updated: 3 May 2023</p>").published is None
    assert day(read(body=f"{body}<p>Published: 17 May 2024</p>").published) == ("2024-05-17", "text")
