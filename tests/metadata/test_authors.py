"""Authors: names of bylines, credits, reporters, and what is nobody."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawl.extraction.metadata.author_names import names_in
from newscrawl.extraction.metadata.authors import MAX_RUNS
from tests.metadata.conftest import Read

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
ADA_ALONE = ("Ada Example",)

CHOSEN: list[tuple[str, str, Any, tuple[str, ...]]] = [
    # Head, body and author of JSON-LD.
    ("", '<h1>Headline</h1><div class="comment-author">Jane Doe</div>', None, ()),
    ("", "<h1>Headline</h1><p>Von der Leyen gewinnt</p>", None, ()),
    ("", '<div itemscope itemtype="http://schema.org/Comment"><b itemprop="author">Jane Doe</b></div>', None, ()),
    (f'{SITE}<meta name="author" content="Daily Globe">', "", None, ()),
    (SITE, "", {"name": "Daily Globe"}, ("Daily Globe",)),
    (SITE, "<h1>Headline</h1><p>By Jane Doe</p>", {"name": "Daily Globe"}, ("Jane Doe",)),
    (NAMED.format("Ada Example"), f"{H1}<p>Text of the article.</p>", None, ADA_ALONE),
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
    *(
        ("", f"{H1}<div>{by}</div><div>Ada Example</div><p>So.</p>", None, ADA_ALONE)
        for by in ("By", "Written by", "Von")
    ),
    (
        "",
        f"{H1}<div>By</div><div>Ada Example</div><div>,</div><div>Ben Example</div><div>Listen</div>",
        None,
        ("Ada Example", "Ben Example"),
    ),
    ("", f"{H1}<p>By Ada Example</p>", "Ada", ADA_ALONE),
    ("", f"{H1}<p>By Ada Example</p>", "ada-example", ADA_ALONE),
    ("", f"{H1}<p>By Solcyré Example</p>", "Solcyre Example", ("Solcyré Example",)),
    ("", f"{H1}<p>By Adam Example</p>", "Ada", ("Ada",)),
    ("", f"{H1}<p>By Ben Example</p>", "Ada Example", ADA_ALONE),
    ("", f"{H1}<p>By Ada Example</p>", "The bridge", ADA_ALONE),
    *(
        ("", f"{H1}<p>{line}</p><div class=authors>{LINKS}</div>", None, ADA_ALONE)
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


NOBODY = (
    "Войти, Log in, Iniciar sesión, Anmelden, Zaloguj się, 登录, 로그인, ログイン, "
    "Σύνδεση, Sign in, Se connecter, Увійти, Watermark feed, Materiały prasowe, "
    "Subscribe, Press Release, Пресс-релиз, Communiqué de presse, 보도자료, feedbot"
).split(", ")
OFFICES = (
    "tovima.gr, www.tovima.gr, Newsdesk, webdesk, Web Desk, News Desk, Editorial Desk, "
    "Online Desk, Desk, Newsroom, Редакция, Редакція, Redakcja, Redacción, Rédaction, "
    "La rédaction, Redaktion, Redazione, Redação, Redactie, Redaktionen, Toimitus, Szerkesztőség, "
    "Redakce, Σύνταξη, 編集部, 编辑部, 小编, 편집부, 인터넷뉴스팀, 디지털뉴스팀, اخبار, تحریریه, "
    "هيئة التحرير, المحرر, Yönetici, Haber Merkezi, Admin, administrator, Login, Connexion, "
    "Accedi, Entrar, Inloggen, Logga in, Giriş yap, 登入, Đăng nhập, تسجيل الدخول, ورود, "
    "लॉग इन करें, Pressemitteilung, Comunicado de prensa, Comunicato stampa, Pressmeddelande, "
    "Tisková zpráva, Sajtóközlemény, Basın bülteni, RSS feed, AFP feed, Newswire feed, "
    "Feed Importer, Wire Service, www.example.com, example.com, tovima.gr newsroom, webteam, "
    "Web Team, Team, Nachrichtenredaktion, Agencies, Agenturen, Agencias, Agences, Агентства, "
    "Haberler, Abonnieren, S'abonner, Suscríbete, Подписаться, Staff Writer, Staff Reporter, "
    "Guest Author, Our Correspondent, Special Correspondent, Unknown, Aucun, Utilisateur anonyme, "
    "Content Team, Digital Desk, Sports Desk, PTI Desk, Editor, Editor Desk, ডেস্ক রিপোর্ট, "
    "নিজস্ব প্রতিবেদক, ওয়েব ডেস্ক, अनलाइन डेस्क, डिजिटल डेस्क, ویب ڈیسک, نیوز ڈیسک, Redaksi, "
    "Tim Redaksi, Ban biên tập"
).split(", ")


def _stated(name: str) -> dict[str, object]:
    return {"@type": "NewsArticle", "headline": "The quay", "author": {"@type": "Person", "name": name}}


@pytest.mark.parametrize("name", [*NOBODY, *OFFICES])
@pytest.mark.parametrize(
    ("head", "body"),
    [
        (
            '<meta name="author" content="{}">',
            '<div class="article-byline"><span class="byline">Aaron Birch</span></div>',
        ),
        ("", "<p>By Aaron Birch</p>"),
    ],
)
def test_the_visible_byline_wins_over_nobody_and_over_an_office(read: Read, name: str, head: str, body: str) -> None:
    metadata = read(head.format(name), f"<h1>The quay</h1>{body}", ld=_stated(name))
    assert metadata.authors == ("Aaron Birch",)


@pytest.mark.parametrize("name", NOBODY)
def test_nobody_is_no_author(read: Read, name: str) -> None:
    assert read(body="<h1>The quay</h1>", ld=_stated(name)).authors == ()
    assert read(f'<meta name="author" content="{name}">', "<h1>The quay</h1>").authors == ()
    assert read(body=f'<h1>The quay</h1><div class="author"><a href="/login">{name}</a></div>').authors == ()
    assert read(body=f'<h1>The quay</h1><p class="byline">By {name}</p>').authors == ()
    link = '<a rel="author" href="/author/aaron-birch">Aaron Birch</a>'
    assert read(f'<meta name="author" content="{name}">', f"<h1>The quay</h1>{link}").authors == ("Aaron Birch",)


@pytest.mark.parametrize("name", ["J. R. Li", "Anna Desker", "Ada Feeder", "Menu Kumar", "Redmond Birch", "A. B. Wu"])
def test_a_person_with_a_similar_name_is_an_author(read: Read, name: str) -> None:
    assert read(body="<h1>The quay</h1>", ld=_stated(name)).authors == (name,)


@pytest.mark.parametrize(
    "written",
    [
        "Maria Puigdomènech\u200b Barcelona",
        "Maria Puigdomènech \u200bBarcelona",
        "Maria Puigdomènech\u2060 Barcelona",
        "Maria Puigdomènech\ufeffBarcelona",
        "Maria Puigdomènech\u200b\u200b New York",
        "Maria Puigdomènech&#8203; Barcelona",
        "\u200bMaria Puig\u00addo\u200bmènech\u200b",
    ],
)
def test_what_a_zero_width_mark_separates_is_a_place(read: Read, written: str) -> None:
    expected = ("Maria Puigdomènech",)
    assert read(body="<h1>The quay</h1>", ld=_stated(written)).authors == expected
    assert read(f'<meta name="author" content="{written}">', "<h1>The quay</h1>").authors == expected
    assert read(body=f'<h1>The quay</h1><span class="byline">{written}</span>').authors == expected


def test_a_login_that_a_byline_spells_as_a_name_counts_in_full(read: Read) -> None:
    byline = (
        '<h1>The quay</h1><p>By Connor MannionJun 15th, 2019</p><a class="byline" href="/author/cm">Connor Mannion</a>'
    )
    assert read(body=byline, ld=_stated("connor-mannion")).authors == ("Connor Mannion",)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("2024-05-17 10:30　来源：新华社　作者：王小明", "王小明"),
        ("作者：王小明编辑：李华 来源：新华网", "王小明"),
        ("来源：新京报 2024-05-17 10:30 作者：欧阳娜娜 编辑：李华", "欧阳娜娜"),
        ("Autor: Anna Nowak, źródło: PAP, 17 maja 2024", "Anna Nowak"),
        ("17.05.2024 | Автор: Иван Петров | Источник: ТАСС", "Иван Петров"),
        ("Автор: Иван Петров, 17 мая 2024, источник: ТАСС", "Иван Петров"),
        ("Fuente: EFE | Autor: Ana Pérez | 17 de mayo de 2024", "Ana Pérez"),
        ("17 May 2024 | Source: Reuters | Author: Ada Birch", "Ada Birch"),
        ("Quelle: dpa | Autor: Anna Weber | 17.05.2024", "Anna Weber"),
        ("출처: 연합뉴스 | 작성자: 김철수 | 2024-05-17", "김철수"),
    ],
)
def test_the_author_in_a_line_with_date_and_source(read: Read, line: str, name: str) -> None:
    assert read(body=f"<h1>The quay</h1><p>{line}</p>").authors == (name,)


CHINESE_HEADLINE = "<h1>港口大桥项目获批</h1>"
CHINESE = "<p>" + "港口城市议会星期一召开会议，讨论大桥的建设费用，预算已经翻了一番。" * 4 + "</p>"

LINES = [
    ("作者：王小明", ("王小明",)),
    ("2024年05月12日 10:20 来源：港口日报 作者：王小明 编辑：李华", ("王小明",)),
    ("本报记者 张三丰", ("张三丰",)),
    ("记者 王小明 李华", ("王小明", "李华")),
    ("2024年11月20日 08:30 来源：港口社 记者 王芳 通讯员 陈强", ("王芳", "陈强")),
    ("記者陳小明／台北報導", ("陳小明",)),
    ("文／陳小明", ("陳小明",)),
    ("港口社北京5月12日电（记者王小明、李华）港口城市议会", ("王小明", "李华")),
    ("김철수 기자 kim@example.org", ("김철수",)),
    ("서울=김철수 특파원", ("김철수",)),
    ("记者手记", ()),
    ("记者 观察", ()),
    ("记者从市政府获悉", ()),
    ("다른 기자", ()),
    ("기자의 다른 기사", ()),
]


@pytest.mark.parametrize(("line", "names"), LINES)
def test_a_line_names_its_reporters(read: Read, line: str, names: tuple[str, ...]) -> None:
    assert read(body=f"{CHINESE_HEADLINE}<p>{line}</p>{CHINESE}").authors == names


def test_the_first_line_with_a_reporter_below_the_headline_counts(read: Read) -> None:
    assert read(
        body=f"<p>记者 李华</p>{CHINESE_HEADLINE}<p>本报记者 王小明</p>{CHINESE}<p>记者 张三丰</p>"
    ).authors == ("王小明",)
    assert read(body=f"{CHINESE_HEADLINE}<p>港口社5月12日电（记者 王小明）{CHINESE}").authors == ("王小明",)
    assert read(body=f"{CHINESE_HEADLINE}{CHINESE * MAX_RUNS}<p>记者 王小明</p>").authors == ()
