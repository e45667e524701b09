"""Authors that only a label, a day or a place beside them gives away, and accounts that are nobody."""

from __future__ import annotations

import pytest

from tests.metadata.conftest import Read

HEADLINE = "<h1>The bridge opens at last</h1>"
TEXT = "<p>" + "The council opened the new bridge in the morning, and many people came to see it. " * 3 + "</p>"

CREDITS = [
    ("a login after by", f"{HEADLINE}<p>by ada7</p>{TEXT}", "ada7"),
    ("a login after by and a day", f"{HEADLINE}<div>Posted on May 3, 2024 by ada7</div>{TEXT}", "ada7"),
    ("by between bars", f"{HEADLINE}<div>Culture | By Ada Example |</div>{TEXT}", "Ada Example"),
    ("a login below by", f"{HEADLINE}<div>by</div><div>ada7</div>{TEXT}", "ada7"),
    ("before a day", f"{HEADLINE}<div>Ada Example 18.10.2019, 15:07 Uhr</div>{TEXT}", "Ada Example"),
    ("after a day", f"{HEADLINE}<div>11.12.2019 - Ada Example</div>{TEXT}", "Ada Example"),
    ("between title and day", f"{HEADLINE}<div>Ada Example | Senior Writer | July 2, 2025</div>{TEXT}", "Ada Example"),
    ("beside a line with a day", f"{HEADLINE}<div>May 3, 2024</div><div>Ada Example</div>{TEXT}", "Ada Example"),
    ("with a job", f"{HEADLINE}<p>Ada Example, Korrespondentin in Wien</p><p>12.05.2024</p>{TEXT}", "Ada Example"),
    ("with an agency", f"{HEADLINE}<p>Ada Example / EFE</p><p>12 de mayo de 2024</p>{TEXT}", "Ada Example"),
    ("sent abroad", f"{HEADLINE}<p>Ada Example, envoyée spéciale</p><p>le 12/05/2024 à 10:30</p>{TEXT}", "Ada Example"),
    ("a job before", f"{HEADLINE}<p>12. Mai 2024 | Von unserer Redakteurin Ada Example</p>{TEXT}", "Ada Example"),
    (
        "beside labels",
        f"{HEADLINE}<p>Ada Example</p><p>Dodano: 20.11.2024 15:42, aktualizacja: 21.11.2024</p>{TEXT}",
        "Ada Example",
    ),
    (
        "beside a weekday",
        f"{HEADLINE}<p>Ada Example, correspondent</p><p>maandag 9 september 2024, 07:30</p>{TEXT}",
        "Ada Example",
    ),
    ("beside a zone", f"{HEADLINE}<p>Ada Example, Reporter</p><p>Mon 9 Sep 2024 07.30 BST</p>{TEXT}", "Ada Example"),
    ("beside a reading time", f"{HEADLINE}<p>Ada Example</p><p>23.07.2025 · 6 min read</p>{TEXT}", "Ada Example"),
    ("an envoy", f"{HEADLINE}<p>dal nostro inviato Ada Example</p><p>12 maggio 2024</p>{TEXT}", "Ada Example"),
    ("in Arabic", f"{HEADLINE}<p>بقلم أحمد سعيد</p><p>الأحد 12 مايو 2024</p>{TEXT}", "أحمد سعيد"),
    ("below the text", f"{HEADLINE}{TEXT * 20}<h3>Written by Ada Example</h3>", "Ada Example"),
    (
        "under a label below the text",
        f"{HEADLINE}{TEXT * 20}<div>Article by</div><div>Ada Example</div>",
        "Ada Example",
    ),
    ("below the text, German", f"{HEADLINE}{TEXT * 20}<p>Text: Ada Example</p>", "Ada Example"),
    ("signed below the text", f"{HEADLINE}{TEXT * 20}<p>By Ada Example</p>", "Ada Example"),
    ("signed below the text, German", f"{HEADLINE}{TEXT * 20}<p>Von Ada Example</p>", "Ada Example"),
    ("signed in an element of its own", f"{HEADLINE}{TEXT * 20}<p>Von</p><p>Ada Example</p>", "Ada Example"),
    ("signed above the text", f"{HEADLINE}<h2>The old bridge</h2>{TEXT}<h5>By Ada Example</h5>{TEXT}", "Ada Example"),
    ("below the text, French", f"{HEADLINE}{TEXT * 20}<p>Auteur : Ada Example</p>", "Ada Example"),
]


@pytest.mark.parametrize(("body", "name"), [c[1:] for c in CREDITS], ids=[c[0] for c in CREDITS])
def test_a_name_is_found_by_what_is_beside_it(read: Read, body: str, name: str) -> None:
    assert read(body=body).authors == (name,)


def test_several_names_beside_a_day_are_read_if_each_has_a_job(read: Read) -> None:
    line = "<p>Ada Example, Chefredakteurin · Bob Example, Volontär</p><p>20.11.2024</p>"
    assert read(body=f"{HEADLINE}{line}{TEXT}").authors == ("Ada Example", "Bob Example")
    assert read(body=f"{HEADLINE}<p>Alte Brücke · Ada Example</p><p>20.11.2024</p>{TEXT}").authors == ()


NOBODY = [
    ("a heading beside a day", f"{HEADLINE}<div>May 3, 2024</div><h2>Stone Age</h2>{TEXT}"),
    ("a part of the title", f"<h1>Stone Bridge opens</h1><div>May 3, 2024</div><div>Stone Bridge</div>{TEXT}"),
    ("a day of the week", f"{HEADLINE}<div>星期五 2024年5月17日</div>{TEXT}"),
    ("a podcast on a day", f"{HEADLINE}<div>Das Morgenblatt am 01.07.17</div>{TEXT}"),
    ("a sentence with by", f"{HEADLINE}<div>By signing up, you agree</div>{TEXT}"),
    (
        "many credits, as in a list",
        HEADLINE + TEXT * 20 + "".join(f"{TEXT}<p>Written by Ada {n}</p>" for n in ("A", "B", "C", "D")),
    ),
    ("a name in a sentence", f"{HEADLINE}{TEXT}<p>The bridge was praised by Ada Example.</p>"),
]


@pytest.mark.parametrize("body", [n[1] for n in NOBODY], ids=[n[0] for n in NOBODY])
def test_other_lines_name_nobody(read: Read, body: str) -> None:
    assert read(body=body).authors == ()


LABELS = [
    "Written By",
    "Authored by",
    "Learn More",
    "View more posts",
    "Last Modified:",
    "Veröffentlicht am 3. Mai 2024",
]


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_no_name(read: Read, label: str) -> None:
    assert read(body=f'{HEADLINE}<div class="byline">{label}</div>{TEXT}').authors == ()


def test_words_of_a_sentence_before_a_capital_are_no_name(read: Read) -> None:
    assert read(body=f'{HEADLINE}<div class="byline">By und Interview</div>{TEXT}').authors == ()


SIGNED = [
    ("newsroom", f"{TEXT * 20}<p>Von</p><p>Ada Example</p>"),
    ("The Daily Example", f"{TEXT * 20}<p>By Ada Example</p>"),
    ("Harbour Association", f"{TEXT * 20}<p>Autorin: Ada Example, Projektleiterin in Wien</p>"),
    ("Team Harbour", f"{TEXT * 20}<h4>Article written by:</h4><h4>Ada Example</h4>"),
]


@pytest.mark.parametrize(("account", "body"), SIGNED)
def test_a_person_who_signs_the_text_replaces_an_office_in_the_metadata(read: Read, account: str, body: str) -> None:
    head = f'<meta property="og:site_name" content="The Daily Example"><meta name="author" content="{account}">'
    assert read(head=head, body=HEADLINE + body).authors == ("Ada Example",)


UNSIGNED = [
    ("two persons", f"{TEXT * 20}<p>By Ada Example</p>{TEXT}<p>By Bea Sample</p>"),
    ("far from the text", f"{TEXT * 20}{'<p>Town news</p>' * 5}<p>By Ada Example</p>{'<p>Town news</p>' * 5}"),
    ("a sentence", f"{TEXT * 20}<p>By the River, at Last</p>"),
    ("a heading in small letters", f"{TEXT * 20}<p>von der Brücke zur Fähre</p>"),
]


@pytest.mark.parametrize("body", [u[1] for u in UNSIGNED], ids=[u[0] for u in UNSIGNED])
def test_other_lines_with_by_sign_nothing(read: Read, body: str) -> None:
    assert read(head='<meta name="author" content="newsroom">', body=HEADLINE + body).authors == ("newsroom",)


@pytest.mark.parametrize("account", ["admin", "AdaE", "ada.example", "Web Editor", "page.head.author"])
def test_a_byline_with_a_person_outweighs_an_account_in_the_metadata(read: Read, account: str) -> None:
    head = f'<meta name="author" content="{account}">'
    article = {"@type": "NewsArticle", "author": {"@type": "Person", "name": account}}
    assert read(head, f"{HEADLINE}<p>By Ben Example</p>{TEXT}", ld=article).authors == ("Ben Example",)


def test_metadata_with_a_person_outweighs_a_byline(read: Read) -> None:
    article = {"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada"}}
    assert read(body=f"{HEADLINE}<p>By Ben Example</p>{TEXT}", ld=article).authors == ("Ada",)


def test_further_authors_that_readers_see_in_two_places_are_added(read: Read) -> None:
    article = {"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada Example"}}
    links = '<a href="/author/ada">Ada Example</a> and <a href="/author/ben">Ben Example</a>'
    page = read(body=f'{HEADLINE}<div class="byline">By {links}</div>{TEXT}', ld=article)
    assert page.authors == ("Ada Example", "Ben Example")


def test_a_job_title_that_readers_see_as_a_link_is_no_further_author(read: Read) -> None:
    article = {"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada Example"}}
    links = '<a href="/author/ada">Ada Example</a>, <a href="/author/ada">Full Bio</a>'
    page = read(body=f'{HEADLINE}<div class="byline">By {links}</div>{TEXT}', ld=article)
    assert page.authors == ("Ada Example",)


GLUED = [
    ("Ada ExampleFounder at Bridges", "Ada Example"),
    ("By Ada ExampleIn Travel, Tips", "Ada Example"),
    ("Ada Example Writer", "Ada Example"),
    ("Show all articles of Ada Example", "Ada Example"),
    ("Executive Content Editor", "Executive Content Editor"),
]


@pytest.mark.parametrize(("line", "name"), GLUED, ids=[g[0] for g in GLUED])
def test_a_job_title_or_a_section_is_cut_off_a_name(read: Read, line: str, name: str) -> None:
    assert read(body=f'{HEADLINE}<div class="byline">{line}</div>{TEXT}').authors == (name,)
