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


FAR = TEXT * 20
TOWN = "<p>Town news</p>" * 5
LINKED = '<a href="/author/ada">Ada Example</a>'
JOBS = "<p>Ada Example, Chefredakteurin · Bob Example, Volontär</p><p>20.11.2024</p>"
ADA, BEN = "Ada Example", "Ben Example"

OTHERS: list[tuple[str, str, str]] = [
    # The author in the metadata, the body below the headline, and the authors.
    ("", f"{JOBS}{TEXT}", "Ada Example, Bob Example"),
    ("", f"<p>Alte Brücke · Ada Example</p><p>20.11.2024</p>{TEXT}", ""),
    ("", f"<div>May 3, 2024</div><h2>Stone Age</h2>{TEXT}", ""),
    ("", f"<div>May 3, 2024</div><div>The bridge</div>{TEXT}", ""),
    ("", f"<div>星期五 2024年5月17日</div>{TEXT}", ""),
    ("", f"<div>Das Morgenblatt am 01.07.17</div>{TEXT}", ""),
    ("", f"<div>By signing up, you agree</div>{TEXT}", ""),
    ("", FAR + "".join(f"{TEXT}<p>Written by Ada {name}</p>" for name in "ABCD"), ""),
    ("", f"{TEXT}<p>The bridge was praised by Ada Example.</p>", ""),
    *(
        ("", f'<div class="byline">{label}</div>{TEXT}', "")
        for label in (
            "Written By",
            "Authored by",
            "Learn More",
            "View more posts",
            "Last Modified:",
            "Veröffentlicht am 3. Mai 2024",
            "By und Interview",
        )
    ),
    ("newsroom", f"{FAR}<p>Von</p><p>Ada Example</p>", ADA),
    ("The Daily Example", f"{FAR}<p>By Ada Example</p>", ADA),
    ("Harbour Association", f"{FAR}<p>Autorin: Ada Example, Projektleiterin in Wien</p>", ADA),
    ("Team Harbour", f"{FAR}<h4>Article written by:</h4><h4>Ada Example</h4>", ADA),
    ("newsroom", f"{FAR}<p>By Ada Example</p>{TEXT}<p>By Bea Sample</p>", "newsroom"),
    ("newsroom", f"{FAR}{TOWN}<p>By Ada Example</p>{TOWN}", "newsroom"),
    ("newsroom", f"{FAR}<p>By the River, at Last</p>", "newsroom"),
    ("newsroom", f"{FAR}<p>von der Brücke zur Fähre</p>", "newsroom"),
    *(
        (account, f"<p>By Ben Example</p>{TEXT}", BEN)
        for account in ("admin", "AdaE", "ada.example", "Web Editor", "page.head.author")
    ),
    ("Ada", f"<p>By Ben Example</p>{TEXT}", "Ada"),
    (ADA, f'<div class="byline">By {LINKED} and <a href="/author/ben">{BEN}</a></div>{TEXT}', f"{ADA}, {BEN}"),
    (ADA, f'<div class="byline">By {LINKED}, <a href="/author/ada">Full Bio</a></div>{TEXT}', ADA),
    *(
        ("", f'<div class="byline">{line}</div>{TEXT}', name)
        for line, name in (
            ("Ada ExampleFounder at Bridges", ADA),
            ("By Ada ExampleIn Travel, Tips", ADA),
            ("Ada Example Writer", ADA),
            ("Show all articles of Ada Example", ADA),
            ("Executive Content Editor", "Executive Content Editor"),
        )
    ),
]


@pytest.mark.parametrize(("account", "body", "authors"), OTHERS)
def test_the_authors_of_metadata_and_of_lines(read: Read, account: str, body: str, authors: str) -> None:
    head = f'<meta property="og:site_name" content="The Daily Example"><meta name="author" content="{account}">'
    ld = {"@type": "NewsArticle", "author": {"@type": "Person", "name": account}} if account else None
    assert ", ".join(read(head if account else "", f"{HEADLINE}{body}", ld=ld).authors) == authors
