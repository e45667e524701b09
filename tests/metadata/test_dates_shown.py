"""Days that readers see, and their weight compared with dates for machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.metadata.dates.labels import change_part, publication_part
from newscrawl.metadata.nearby import MAX_WORDS
from newscrawl.model import Metadata, PublishedDate

Read = Callable[..., Metadata]

LATER = "2024-05-20T08:00:00Z"


def day(found: PublishedDate | None) -> tuple[str, str] | None:
    return (found.when.date().isoformat(), found.source) if found else None


def test_a_time_element_says_what_the_line_only_says_as_an_hour_ago(read: Read) -> None:
    body = (
        "<h1>The bridge</h1><p><a>Ada Example</a> <time datetime='2024-05-17T12:30:00+02:00'>an hour ago</time></p>"
        "<p>Joined</p><p>11 May 2017</p>"
    )
    published = read(body=body).published
    assert day(published) == ("2024-05-17", "time")
    assert published is not None
    assert published.zone_stated


def test_of_lines_and_time_elements_the_nearer_to_the_headline_wins(read: Read) -> None:
    times = "<aside><time datetime='2023-01-02'>2 January 2023</time> Another story</aside>"
    assert day(read(body=f"<h1>The bridge</h1><p>17 May 2024</p>{times}").published) == ("2024-05-17", "headline")
    assert day(read(body=f"<h1>The bridge</h1>{times}<p>17 May 2024</p>").published) == ("2023-01-02", "time")


def test_a_time_element_in_a_line_about_a_change_is_no_publication(read: Read) -> None:
    page = read(
        body="<h1>The bridge</h1><p>Updated <time datetime='2024-05-20'>20 May 2024</time></p><p>17 May 2024</p>"
    )
    assert day(page.published) == ("2024-05-17", "headline")
    assert day(page.modified) == ("2024-05-20", "headline:updated")


@pytest.mark.parametrize("label", ["Updated on", "Dernière mise à jour :", "Zuletzt aktualisiert"])
def test_a_label_may_stand_in_an_element_of_its_own(read: Read, label: str) -> None:
    page = read(body=f"<h1>The bridge</h1><div>{label}</div><div>20 May 2024</div><p>17 May 2024</p>")
    assert day(page.published) == ("2024-05-17", "headline")
    assert day(page.modified) == ("2024-05-20", "headline:updated")


def test_a_page_that_shows_only_its_last_change_is_of_that_day_and_says_so(read: Read) -> None:
    page = read(body="<h1>The bridge</h1><p>Zuletzt aktualisiert am 17. Mai 2024</p>")
    assert day(page.published) == day(page.modified) == ("2024-05-17", "headline:updated")


@pytest.mark.parametrize(
    ("line", "publication", "change"),
    [
        ("17 May 2024", "17 May 2024", None),
        ("Published 17 May 2024, updated 20 May 2024", "Published 17 May 2024, ", "updated 20 May 2024"),
        ("Updated 20 May 2024 | Published 17 May 2024", "Published 17 May 2024", "Updated 20 May 2024 | "),
        ("17.05.2024 (aktualisiert: 20.05.2024)", "17.05.2024 (", "aktualisiert: 20.05.2024)"),
        ("Mis à jour le 20 mai 2024", None, "Mis à jour le 20 mai 2024"),
        ("更新日 2024年5月20日", None, "更新日 2024年5月20日"),
        ("Обновлено 20 мая 2024", None, "Обновлено 20 мая 2024"),
        ("تحديث 20 مايو 2024", None, "تحديث 20 مايو 2024"),
        ("Stand: 20.05.2024, 17:40 Uhr", None, "Stand: 20.05.2024, 17:40 Uhr"),
        ("17.05.2024, Stand 20.05.2024", "17.05.2024, ", "Stand 20.05.2024"),
        ("Stand by me, 17 May 2024", "Stand by me, 17 May 2024", None),
        ("17 May 2024Updated: 20 May 2024", "17 May 2024", "Updated: 20 May 2024"),
        ("Foto: Die Brücke am 4. Mai 2019", None, None),
        ("© 2024 The Globe", None, None),
        ("Registriert: 18.09.2008", None, None),
        ("Member since 11 May 2017", None, None),
    ],
)
def test_a_line_says_what_its_days_are(line: str, publication: str | None, change: str | None) -> None:
    assert (publication_part(line), change_part(line)) == (publication, change)


def test_a_tooltip_holds_the_day_that_the_element_shows_in_part(read: Read) -> None:
    page = read(body='<h1>The bridge</h1><abbr class="published-date" title="2024-05-17T12:30:00Z">17 May</abbr>')
    assert day(page.published) == ("2024-05-17", "class")


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


def test_stand_is_the_last_change_and_the_publication_only_if_nothing_else_is_shown(read: Read) -> None:
    both = read(body="<h1>Die Brücke</h1><p>Stand: 20.05.2024, 17:40 Uhr</p><p>Erstmals publiziert: 17.05.2024</p>")
    assert day(both.published) == ("2024-05-17", "headline")
    assert day(both.modified) == ("2024-05-20", "headline:updated")
    alone = read(body="<h1>Die Brücke</h1><p>Stand: 20.05.2024, 17:40 Uhr</p>")
    assert day(alone.published) == day(alone.modified) == ("2024-05-20", "headline:updated")


def test_a_label_that_only_the_mark_up_separates_from_the_day_before_it_is_read(read: Read) -> None:
    page = read(
        body="<h1>The bridge</h1><p><a>Health</a><span>MAY 17, 2024</span><span>Updated: MAY 20, 2024</span></p>"
    )
    assert day(page.published) == ("2024-05-17", "headline")
    assert day(page.modified) == ("2024-05-20", "headline:updated")


def test_a_long_line_of_two_days_with_labels_is_read(read: Read) -> None:
    line = "Updated 9:01 AM EST, Mon May 20, 2024 | Published 5:30 PM EST, Fri May 17, 2024"
    assert len(line.split()) > MAX_WORDS
    page = read(body=f"<h1>The bridge</h1><p>{line}</p>")
    assert day(page.published) == ("2024-05-17", "headline")
    assert day(page.modified) == ("2024-05-20", "headline:updated")


@pytest.mark.parametrize(
    "body",
    [
        "<figure><img src=a.jpg><figcaption>The bridge on 4 May 2019</figcaption></figure>",
        "<figure><img src=a.jpg><figcaption><div><p>The bridge on 4 May 2019</p></div></figcaption></figure>",
        "<p>The council will meet again on 3 December 2024 to discuss it.</p>",
    ],
    ids=["a caption", "an element in a caption", "a sentence"],
)
def test_the_day_of_a_picture_or_in_a_sentence_is_not_that_of_the_article(read: Read, body: str) -> None:
    assert read(body=f"<h1>The bridge</h1>{body}").published is None


def test_a_dated_line_may_end_like_a_sentence(read: Read) -> None:
    line = "By Ada Example on Friday, May 17, 2024 at 5:30 p.m."
    assert day(read(body=f"<h1>The bridge</h1><p>{line}</p>").published) == ("2024-05-17", "headline")


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
