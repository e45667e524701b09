"""What stands in the place of an author and is nobody, and desks and offices beside a byline."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.model import Metadata

Read = Callable[..., Metadata]

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
