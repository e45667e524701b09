"""Authors are names only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.extraction.metadata.authors.names import names_in
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
    ("Anna Berg The Associated Press", ["Anna Berg"]),
    ("Anna Berg Reuters", ["Anna Berg"]),
    ("Anna BergCity Columnist", ["Anna Berg"]),
    ("Anna Berg Senior Political Correspondent", ["Anna Berg"]),
    ("김하늘 기자", ["김하늘"]),
    ("The Associated Press", ["The Associated Press"]),
    ("Reuters", ["Reuters"]),
    ("Anna McAP", ["Anna McAP"]),
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


JSON_LD: list[tuple[Any, tuple[str, ...]]] = [
    ("Jane Doe", ("Jane Doe",)),
    ({"@type": "Person", "name": "Jane Doe"}, ("Jane Doe",)),
    ({"@type": "Person", "name": ["Jane Doe"]}, ("Jane Doe",)),
    ([{"@type": "Person", "name": "Jane Doe"}, "John Roe"], ("Jane Doe", "John Roe")),
    ([{"name": "Jane Doe"}, {"name": "JANE DOE"}], ("Jane Doe",)),
    ({"@id": "#jane"}, ("Jane Doe",)),
    ({"@type": "Organization", "name": "Daily Globe"}, ("Daily Globe",)),
    ({"@type": "Organization", "name": "Wire Agency"}, ("Wire Agency",)),
    ({"@type": "Person", "givenName": "Jane", "familyName": "Doe"}, ("Jane Doe",)),
    ({"@type": "Person", "name": {"@value": "Jane Doe"}}, ("Jane Doe",)),
    (["Jane Doe", [{"@type": "Person", "name": "John Roe"}]], ("Jane Doe", "John Roe")),
    (
        {"@type": "ItemList", "itemListElement": [{"item": {"name": "Jane Doe"}}, {"name": "John Roe"}]},
        ("Jane Doe", "John Roe"),
    ),
    ({"@type": "Person", "givenName": "Jane", "familyName": None}, ()),
    ({"@type": "ItemList", "itemListElement": [None, 7, {"item": []}, {"item": {"name": 7}}]}, ()),
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


H1 = "<h1>The bridge</h1>"
SITE = '<meta property="og:site_name" content="Daily Globe">'
NAMED = '<meta property="og:site_name" content="{0}"><meta name="author" content="{0}">'
LINKS = "<a href=/authors/ada>Ada Example</a> <a href=/authors/bob>Bob Example</a>"
THREE = [{"name": "Jane Doe"}, {"name": "Ann Poe"}, {"name": "John Roe"}]
ADA = ("Ada Example",)

CHOSEN: list[tuple[str, str, Any, tuple[str, ...]]] = [
    # Head, body and author of JSON-LD.
    ("", '<h1>Headline</h1><div class="comment-author">Jane Doe</div>', None, ()),
    ("", "<h1>Headline</h1><p>Von der Leyen gewinnt</p>", None, ()),
    ("", '<div itemscope itemtype="http://schema.org/Comment"><b itemprop="author">Jane Doe</b></div>', None, ()),
    (f'{SITE}<meta name="author" content="Daily Globe">', "", None, ()),
    (SITE, "", {"name": "Daily Globe"}, ("Daily Globe",)),
    (SITE, "<h1>Headline</h1><p>By Jane Doe</p>", {"name": "Daily Globe"}, ("Jane Doe",)),
    (NAMED.format("Ada Example"), f"{H1}<p>Text of the article.</p>", None, ADA),
    (NAMED.format("Daily Post"), f"{H1}<p>Text of the article.</p>", None, ()),
    (
        "",
        f"{H1}<p>By Jane Doe</p><p>Photography by Ann Poe</p><p>Contributions from</p><p>John Roe</p>",
        THREE,
        ("Jane Doe",),
    ),
    (
        '<meta name="author" content="Jane Doe">',
        f'{H1}<p>By Jane Doe</p><a rel="author" href="/j">Jane Doe</a>',
        [{"name": "Jane Doe"}, {"name": "Editing Desk"}],
        ("Jane Doe",),
    ),
    *(("", f"{H1}<div>{by}</div><div>Ada Example</div><p>So.</p>", None, ADA) for by in ("By", "Written by", "Von")),
    (
        "",
        f"{H1}<div>By</div><div>Ada Example</div><div>,</div><div>Ben Example</div><div>Listen</div>",
        None,
        ("Ada Example", "Ben Example"),
    ),
    ("", f"{H1}<p>By Ada Example</p>", "Ada", ADA),
    ("", f"{H1}<p>By Ada Example</p>", "ada-example", ADA),
    ("", f"{H1}<p>By Solcyré Example</p>", "Solcyre Example", ("Solcyré Example",)),
    ("", f"{H1}<p>By Adam Example</p>", "Ada", ("Ada",)),
    ("", f"{H1}<p>By Ben Example</p>", "Ada Example", ADA),
    ("", f"{H1}<p>By Ada Example</p>", "The bridge", ADA),
    *(
        ("", f"{H1}<p>{line}</p><div class=authors>{LINKS}</div>", None, ADA)
        for line in (
            "Tested by Bob Example",
            "By Ada Example. Reviewed by Bob Example",
            "By Ada Example|Edited by Bob Example|May 3, 2024",
        )
    ),
]


@pytest.mark.parametrize(("head", "body", "author", "names"), CHOSEN)
def test_of_several_names_the_authors_are_chosen(
    read: Read, head: str, body: str, author: Any, names: tuple[str, ...]
) -> None:
    ld = {"@type": "NewsArticle", "author": author} if author else None
    assert read(head, body, ld=ld).authors == names
