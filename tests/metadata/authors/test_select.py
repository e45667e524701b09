"""Authors are names only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.metadata.authors.names import names_in
from newscrawl.model import Metadata

Read = Callable[..., Metadata]

BYLINES: list[tuple[str, list[str]]] = [
    ("Jane Doe", ["Jane Doe"]),
    ("By Jane Doe", ["Jane Doe"]),
    ("BY JANE DOE", ["Jane Doe"]),
    ("ByJane Doe", ["Jane Doe"]),
    ("Written by Jane Doe", ["Jane Doe"]),
    ("Por Juan Pérez y María López", ["Juan Pérez", "María López"]),
    ("Von Hans Müller und Eva Groß", ["Hans Müller", "Eva Groß"]),
    ("Par Marie Curie et Jean Dupont", ["Marie Curie", "Jean Dupont"]),
    ("Di Anna Rossi e Marco Bianchi", ["Anna Rossi", "Marco Bianchi"]),
    ("By Jane Doe, John Roe and Ann Poe", ["Jane Doe", "John Roe", "Ann Poe"]),
    ("Jane Doe & John Roe", ["Jane Doe", "John Roe"]),
    ("Jane Doe; John Roe", ["Jane Doe", "John Roe"]),
    ("José Ortega y Gasset", ["José Ortega y Gasset"]),
    ("Doe, Jane", ["Jane Doe"]),
    ("Jane Doe, Political Editor", ["Jane Doe"]),
    ("Jane Doe, Associated Press", ["Jane Doe"]),
    ("Jane Doe avec AFP", ["Jane Doe"]),
    ("Jane Doe / EFE", ["Jane Doe"]),
    ("Jane Doe LONDON (Reuters)", ["Jane Doe"]),
    ("Por Ana Silva, da Agência Brasil", ["Ana Silva"]),
    ("Door onze verslaggever Jan de Vries", ["Jan de Vries"]),
    ("Jane Doe Political editor @janedoe", ["Jane Doe"]),
    ("Haber: Mehmet Yılmaz", ["Mehmet Yılmaz"]),
    ("كتب: أحمد سعيد", ["أحمد سعيد"]),
    ("Jane Doe, MS, RDN", ["Jane Doe"]),
    ("Jane Doe Hace 2 horas", ["Jane Doe"]),
    ("Jane Doe, Head of Data and Graphics", ["Jane Doe"]),
    ("Jane Doe, Senior Director, Content & Marketing", ["Jane Doe"]),
    ("By John Roe, Political Editor, and Jane Poe | Reuters", ["John Roe", "Jane Poe"]),
    ("Jane Doe In", ["Jane Doe"]),
    ("Anna Schmidt, Chefredakteurin", ["Anna Schmidt"]),
    ("Von unserem Korrespondenten Karl Lehmann, Rom", ["Karl Lehmann"]),
    ("dal nostro inviato Paolo Conti", ["Paolo Conti"]),
    ("Scritto da Elena Greco", ["Elena Greco"]),
    ("Carmen Ruiz, enviada especial a Valencia", ["Carmen Ruiz"]),
    ("João Pires, correspondente em Bruxelas", ["João Pires"]),
    ("Por Ana Souza, g1 Minas — Belo Horizonte", ["Ana Souza"]),
    ("Мария Соколова, корреспондент", ["Мария Соколова"]),
    ("Petr Novák, ČTK", ["Petr Novák"]),
    ("Autorka: Zofia Wójcik", ["Zofia Wójcik"]),
    ("tekst: Ewa Zielińska, zdjęcia: Adam Mazur", ["Ewa Zielińska"]),
    ("Texto: Irene Vidal. Fotos: Pau Ferrer", ["Irene Vidal"]),
    ("Haber: Ayşe Demir / Kamera: Ali Kaya", ["Ayşe Demir"]),
    ("Jane Doe MS, RDN", ["Jane Doe"]),
    ("Martin King, Jr.", ["Martin King Jr"]),
    ("Jane Doe (jane@example.com)", ["Jane Doe"]),
    ("Jane Doe jane@example.com", ["Jane Doe"]),
    ("Jane Doe | @janedoe", ["Jane Doe"]),
    ("Jane Doe in Washington", ["Jane Doe"]),
    ("Jane Doe for Example.com", ["Jane Doe"]),
    ("Center for Security Policy", ["Center for Security Policy"]),
    ("Jane Doe, 17 May 2024", ["Jane Doe"]),
    ("Jane Doe - 17 May 2024", ["Jane Doe"]),
    ("Jane Doe, May", ["Jane Doe"]),
    ("Jane DoePublished: today", ["Jane Doe"]),
    ("View all posts by Jane Doe →", ["Jane Doe"]),
    ("May Chen", ["May Chen"]),
    ("Anne-Marie O'Brien", ["Anne-Marie O'Brien"]),
    ("J.R. Doe", ["J.R. Doe"]),
    ("Nelson C.J.", ["Nelson C.J."]),
    ("松岡大地", ["松岡大地"]),
    ("作者：王小明、李雷", ["王小明", "李雷"]),
    ("Jane DoeMay 9, 2024", ["Jane Doe"]),
    ("Photos and Story By Jane Doe", ["Jane Doe"]),
    ("Von Anna Weber, Frankfurt", ["Anna Weber"]),
    ("Lucía Pérez · Vigo · 03 nov 2026", ["Lucía Pérez"]),
    ("Anna Weber | Paris | May 3, 2024", ["Anna Weber"]),
    ("Anna Weber, Madonna, Cher", ["Anna Weber", "Madonna", "Cher"]),
    ("Jane Doe, Harbour Report", ["Jane Doe"]),
    ("Written byJane Doe", ["Jane Doe"]),
    ("This post was written by Jane Doe", ["Jane Doe"]),
    ("Ein Artikel von Anna Weber", ["Anna Weber"]),
    ("Veröffentlicht von Anna Weber", ["Anna Weber"]),
    ("Jane DoeFollow", ["Jane Doe"]),
    ("Jane Doe For The Daily Globe", ["Jane Doe"]),
    ("Jane Doe, CEO of Harbour Bridges", ["Jane Doe"]),
    ("Jane Doe, E-RYT 200", ["Jane Doe"]),
    ("Jane Doe Illustration von Markus Muster", ["Jane Doe"]),
    ("© Jane Doe Jane Doe", ["Jane Doe"]),
    ("Jane Doe May 6, 2024", ["Jane Doe"]),
    ("Anna & Mary", ["Anna", "Mary"]),
    ("Doe, Jane T.", ["Jane T. Doe"]),
    ("bridge2fan", ["bridge2fan"]),
    ("Center for Bridge Evaluation and Research", ["Center for Bridge Evaluation and Research"]),
    ("Department of Health and Human Services", ["Department of Health and Human Services"]),
    ("No Author", []),
    (", The Daily Globe", []),
    ("Read More", []),
    ("https://www.facebook.com/example", []),
    ("www.example.com/jane", []),
    ("Photography by Jane Doe", []),
    ("admin@example.com", []),
    ("unknown", []),
    ("null", []),
    ("12345", []),
    ("Updated: 5 May 2024", []),
    ("", []),
    ("This is a whole sentence that somebody put into the field of the author", []),
    ("x" * 5_000, []),
]


@pytest.mark.parametrize(("byline", "names"), BYLINES)
def test_a_byline_gives_its_names(byline: str, names: list[str]) -> None:
    assert names_in(byline) == names


@pytest.mark.parametrize(
    ("byline", "name"),
    [
        ("Anna Berg The Associated Press", "Anna Berg"),
        ("Anna Berg Reuters", "Anna Berg"),
        ("Anna BergCity Columnist", "Anna Berg"),
        ("Anna Berg Senior Political Correspondent", "Anna Berg"),
        ("김하늘 기자", "김하늘"),
        ("The Associated Press", "The Associated Press"),
        ("Reuters", "Reuters"),
        ("Anna McAP", "Anna McAP"),
    ],
)
def test_an_agency_or_title_behind_a_name_is_cut_off(byline: str, name: str) -> None:
    assert names_in(byline) == [name]


@pytest.mark.parametrize("value", [None, 1, [], {}, True])
def test_what_is_no_string_has_no_names(value: object) -> None:
    assert names_in(value) == []


JSON_LD: list[tuple[Any, tuple[str, ...]]] = [
    ("Jane Doe", ("Jane Doe",)),
    ({"@type": "Person", "name": "Jane Doe"}, ("Jane Doe",)),
    ({"@type": "Person", "name": ["Jane Doe"]}, ("Jane Doe",)),
    ([{"@type": "Person", "name": "Jane Doe"}, "John Roe"], ("Jane Doe", "John Roe")),
    ([{"name": "Jane Doe"}, {"name": "JANE DOE"}], ("Jane Doe",)),
    ({"@id": "#jane"}, ("Jane Doe",)),
    ({"@type": "Organization", "name": "Daily Globe"}, ("Daily Globe",)),
    ({"@type": "Organization", "name": "Wire Agency"}, ("Wire Agency",)),
    ({"name": None}, ()),
    ({"name": {"name": {"name": "x"}}}, ()),
    ([[["Jane Doe"]]], ()),
    (17, ()),
    ([], ()),
]


@pytest.mark.parametrize(("author", "names"), JSON_LD)
def test_json_ld_authors_in_every_shape(read: Read, author: Any, names: tuple[str, ...]) -> None:
    graph = [
        {"@type": "NewsArticle", "headline": "x", "author": author, "publisher": {"name": "Daily Globe"}},
        {"@type": "Person", "@id": "#jane", "name": "Jane Doe"},
    ]
    assert read(ld={"@graph": graph}).authors == names


PLACES = [
    ("meta", '<meta name="author" content="Jane Doe">', ""),
    (
        "several meta elements",
        '<meta property="article:author" content="https://x.com/j"><meta name="byl" content="By Jane Doe">',
        "",
    ),
    (
        "microdata",
        "",
        '<article itemscope itemtype="http://schema.org/NewsArticle"><span itemprop="author">Jane Doe</span></article>',
    ),
    (
        "microdata of a person",
        "",
        (
            '<div itemscope itemtype="http://schema.org/Article">'
            '<p itemprop="author" itemscope itemtype="http://schema.org/Person">Autor: <b itemprop="name">'
            "Jane Doe</b></p></div>"
        ),
    ),
    ("rel=author", "", '<h1>Headline</h1><a rel="author" href="/x">Jane Doe</a>'),
    ("a link to an author's page", "", '<h1>Headline</h1><p><a href="/author/jane">Jane Doe</a></p>'),
    ("a byline class", "", '<h1>Headline</h1><div class="byline"><p>Jane Doe</p><p>Published today</p></div>'),
    ("an introduced name", "", "<h1>Headline</h1><p>By Jane Doe</p><p>Text that goes on and on.</p>"),
    ("an introduction without capital", "", "<h1>Headline</h1><div>by Jane Doe</div>"),
    ("spans without a blank", "", "<h1>Headline</h1><p><span>Jane Doe</span><span>Dec 05, 2023</span></p>"),
]


@pytest.mark.parametrize(("head", "body"), [p[1:] for p in PLACES], ids=[p[0] for p in PLACES])
def test_authors_are_found_where_sites_put_them(read: Read, head: str, body: str) -> None:
    assert read(head, body).authors == ("Jane Doe",)


OTHERS = [
    ("a commenter", '<h1>Headline</h1><div class="comment-author">Jane Doe</div>'),
    ("a sentence", "<h1>Headline</h1><p>Von der Leyen gewinnt</p>"),
    (
        "an author of another item",
        '<div itemscope itemtype="http://schema.org/Comment"><b itemprop="author">Jane Doe</b></div>',
    ),
]


@pytest.mark.parametrize("body", [o[1] for o in OTHERS], ids=[o[0] for o in OTHERS])
def test_other_names_are_no_authors(read: Read, body: str) -> None:
    assert read("", body).authors == ()


def test_the_site_is_no_author(read: Read) -> None:
    assert (
        read(
            '<meta property="og:site_name" content="The Daily Globe"><meta name="author" content="Daily Globe">'
        ).authors
        == ()
    )


def test_the_site_is_the_author_where_it_is_named_and_nobody_else(read: Read) -> None:
    head = '<meta property="og:site_name" content="Daily Globe">'
    named = {"@type": "NewsArticle", "author": {"name": "Daily Globe"}}
    assert read(head, ld=named).authors == ("Daily Globe",)
    assert read(head, "<h1>Headline</h1><p>By Jane Doe</p>", ld=named).authors == ("Jane Doe",)


@pytest.mark.parametrize(("name", "authors"), [("Ada Example", ("Ada Example",)), ("Daily Post", ())])
def test_a_site_with_a_person_s_name_in_the_author_meta_is_the_author(
    read: Read, name: str, authors: tuple[str, ...]
) -> None:
    head = f'<meta property="og:site_name" content="{name}"><meta name="author" content="{name}">'
    assert read(head=head, body="<h1>A bridge for the town</h1><p>Text of the article.</p>").authors == authors


def test_who_took_the_pictures_or_edited_is_no_author_beside_one(read: Read) -> None:
    page = read(
        "",
        "<h1>Headline</h1><p>By Jane Doe</p><p>Photography by Ann Poe</p><p>Contributions from</p><p>John Roe</p>",
        ld={"@type": "NewsArticle", "author": [{"name": "Jane Doe"}, {"name": "Ann Poe"}, {"name": "John Roe"}]},
    )
    assert page.authors == ("Jane Doe",)


def test_three_sources_that_agree_outvote_json_ld(read: Read) -> None:
    page = read(
        '<meta name="author" content="Jane Doe">',
        '<h1>Headline</h1><p>By Jane Doe</p><a rel="author" href="/j">Jane Doe</a>',
        ld={"@type": "NewsArticle", "author": [{"name": "Jane Doe"}, {"name": "Editing Desk"}]},
    )
    assert page.authors == ("Jane Doe",)


@pytest.mark.parametrize("label", ["By", "Written by", "Autor:", "Von"])
def test_names_may_stand_behind_a_label_in_an_element_of_its_own(read: Read, label: str) -> None:
    page = read(body=f"<h1>The bridge</h1><div>{label}</div><div>Ada Example</div><p>So it is.</p>")
    assert page.authors == ("Ada Example",)


def test_names_in_elements_of_their_own_go_on_behind_commas(read: Read) -> None:
    names = "<div>Ada Example</div><div>,</div><div>Ben Example</div><div>Listen</div>"
    assert read(body=f"<h1>The bridge</h1><div>By</div>{names}").authors == ("Ada Example", "Ben Example")


@pytest.mark.parametrize(
    ("stated", "shown", "author"),
    [
        ("Ada", "Ada Example", "Ada Example"),
        ("ada-example", "Ada Example", "Ada Example"),
        ("Solcyre Example", "Solcyré Example", "Solcyré Example"),
        ("Ada", "Adam Example", "Ada"),
        ("Ada Example", "Ben Example", "Ada Example"),
    ],
)
def test_the_fuller_spelling_of_a_name_is_taken(read: Read, stated: str, shown: str, author: str) -> None:
    article = {"@type": "NewsArticle", "author": {"@type": "Person", "name": stated}}
    assert read(body=f"<h1>The bridge</h1><p>By {shown}</p>", ld=article).authors == (author,)


def test_the_headline_is_no_author(read: Read) -> None:
    article = {"@type": "NewsArticle", "headline": "Bridge Opens Today", "author": "Bridge Opens Today"}
    assert read(body="<h1>Bridge Opens Today</h1><p>By Ada Example</p>", ld=article).authors == ("Ada Example",)


AUTHOR_VALUES: list[tuple[str, Any, tuple[str, ...]]] = [
    ("given and family name", {"@type": "Person", "givenName": "Ada", "familyName": "Example"}, ("Ada Example",)),
    ("a name with its language", {"@type": "Person", "name": {"@value": "Ada Example"}}, ("Ada Example",)),
    ("a list in a list", ["Ada Example", [{"@type": "Person", "name": "Bob Example"}]], ("Ada Example", "Bob Example")),
    (
        "a list of items",
        {"@type": "ItemList", "itemListElement": [{"item": {"name": "Ada Example"}}, {"name": "Bob Example"}]},
        ("Ada Example", "Bob Example"),
    ),
    ("a given name alone", {"@type": "Person", "givenName": "Ada", "familyName": None}, ()),
    ("broken values", {"@type": "ItemList", "itemListElement": [None, 7, {"item": []}, {"item": {"name": 7}}]}, ()),
]


@pytest.mark.parametrize(("value", "names"), [v[1:] for v in AUTHOR_VALUES], ids=[v[0] for v in AUTHOR_VALUES])
def test_the_forms_of_authors_in_json_ld_are_read(read: Read, value: Any, names: tuple[str, ...]) -> None:
    assert read(ld={"@type": "NewsArticle", "headline": "The bridge", "author": value}).authors == names


@pytest.mark.parametrize(
    "line", ["Tested by {}", "By Ada Example. Reviewed by {}", "By Ada Example|Edited by {}|May 3, 2024"]
)
def test_a_helper_named_in_a_part_of_a_line_is_no_author(read: Read, line: str) -> None:
    links = [f'<a href="/authors/{name.lower()}">{name} Example</a>' for name in ("Ada", "Bob")]
    body = f"<h1>The bridge</h1><p>{line.format('Bob Example')}</p><div class=authors>{links[0]} {links[1]}</div>"
    assert read(body=body).authors == ("Ada Example",)
