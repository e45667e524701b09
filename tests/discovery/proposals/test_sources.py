"""From the documents of an unknown site to the proposed declaration and its spider's file."""

from __future__ import annotations

import ast
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from newscrawl.discovery.proposals.declaration import Declaration, country_of, language_of, render, spider_name
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.discovery.proposals.site_page import site_page
from newscrawl.discovery.proposals.sources import SourceTrial, choose_sources, propose, sample, sections_of, try_source
from newscrawl.discovery.reading import HTML_INSTEAD, SourceContents
from newscrawl.model import Candidate, Discovery
from newscrawl.page import parse

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOME = "https://www.news.example/"
DOMAINS = ["news.example"]
FEED = FoundSource("https://www.news.example/feed/", "feed")
FRONT = """<html lang="en-GB"><head><meta property="og:site_name" content="The News"></head><body><nav>
<a href="/politics/">Politics</a><a href="/sport/">Sport</a><a href="/sport/football/">Football</a>
<a href="/login">Log in</a>
<a href="/tag/bridge/">Bridge</a></nav><main>
<h2><a href="/politics/council-votes-for-a-new-bridge-1000001">Council votes for a new bridge</a></h2>
<h2><a href="/sport/rovers-win-the-cup-again-1000002">Rovers win the cup again</a></h2></main>
<footer><a href="/about-the-news/">About</a></footer></body></html>"""
FRONT_PAGE = site_page(parse(FRONT, url=HOME), HOME, ("news.example",))


def candidate(path: str, age_hours: float | None = 1) -> Candidate:
    when = None if age_hours is None else NOW - timedelta(hours=age_hours)
    return Candidate(f"https://www.news.example{path}", Discovery("feed", FEED.url, "A", when))


def story(number: int, section: str = "politics") -> Candidate:
    return candidate(f"/{section}/a-story-of-the-day-{1_000_000 + number}", number)


def reading(*candidates: Candidate, **more: Any) -> SourceContents:
    return SourceContents(candidates, **more)


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/about">Site</a>', '<a href="/about/">Site</a>', '<a href="/en/about_us.html">Site</a>',
        '<a href="/p/5">About us</a>', '<a href="/contact.php">Write</a>', '<a href="/impressum">Site</a>',
        '<a href="/legal/imprint/">Site</a>', '<a href="/datenschutz/">Site</a>', '<a href="/quienes-somos/">Site</a>',
        '<a href="/aviso-legal">Site</a>', '<a href="/mentions-legales">Site</a>', '<a href="/a-propos/">Site</a>',
        '<a href="/chi-siamo">Site</a>', '<a href="/sobre-n%C3%B3s">Site</a>', '<a href="/over-ons/">Site</a>',
        '<a href="/o-nas">Site</a>', '<a href="/om-oss">Site</a>', '<a href="/hakkimizda">Site</a>',
        '<a href="/page/2x/">О нас</a>', '<a href="/privacy">Site</a>', '<a href="/terms/">Site</a>',
    ],
)  # fmt: skip
def test_a_page_about_the_site_is_no_section(link: str) -> None:
    page = parse(FRONT.replace('<a href="/login">', f'{link}<a href="/login">'), url=HOME)
    links = site_page(page, HOME, ("news.example",)).links
    assert sections_of(links, HOME) == [f"{HOME}politics/", f"{HOME}sport/", f"{HOME}sport/football/"]


@pytest.mark.parametrize(
    ("answer", "status", "problem"),
    [
        (SourceContents(), 404, "answers 404"),
        (SourceContents(problems=(HTML_INSTEAD,)), 200, HTML_INSTEAD),
        (SourceContents(), 200, "names no article of this site"),
        (
            SourceContents((Candidate("https://other.example/2026/03/02/a", Discovery("feed", FEED.url)),)),
            200,
            "names no article of this site",
        ),
        (SourceContents((candidate("/tag/bridge"),)), 200, "names no article of this site"),
        (SourceContents((candidate("/a-story-1000001", 24 * 400),)), 200, "nothing new since 2025-01-26"),
    ],
)
def test_a_source_that_is_of_no_use_says_why(answer: SourceContents, status: int, problem: str) -> None:
    trial = try_source(FEED, answer, DOMAINS, NOW, status=status)
    assert not trial.good
    assert trial.problem == problem


def trial(path: str, *candidates: Candidate, kind: str = "feed") -> SourceTrial:
    source = FoundSource(f"https://www.news.example{path}", "sitemap" if kind == "sitemap" else "feed")
    return try_source(source, reading(*candidates), DOMAINS, NOW)


def test_a_sections_feed_is_declared_only_for_what_the_main_feed_does_not_name() -> None:
    stories = [story(n) for n in range(10)]
    sport = [story(n, "sport") for n in range(20, 30)]
    chosen = choose_sources(
        [trial("/rss/politics.xml", *stories[:5]), trial("/rss/sport.xml", *sport), trial("/rss.xml", *stories)], HOME
    )
    assert [one.source.url.rpartition("/")[2] for one in chosen] == ["rss.xml", "sport.xml"]


def test_the_archives_sitemap_is_declared_only_where_nothing_else_is() -> None:
    archive = trial("/sitemap.xml", *[story(n) for n in range(50)], kind="sitemap")
    assert choose_sources([archive], HOME) == [archive]
    main = trial("/feed/", story(1))
    assert choose_sources([archive, main], HOME) == [main]


def test_samples_come_from_every_section_the_newest_first() -> None:
    found = [story(n) for n in range(20)] + [story(n, "sport") for n in range(30, 33)]
    taken = sample([*found, found[0]], 6)
    assert [c.url.rpartition("/")[0].rpartition("/")[2] for c in taken] == ["politics", "sport"] * 3
    assert taken[0].url == found[0].url
    assert len({c.url for c in taken}) == 6


def test_a_site_with_a_feed_is_declared_with_it_and_a_rule_of_its_own() -> None:
    feed = trial("/feed/", *[story(n, ("politics", "sport")[n % 2]) for n in range(30)])
    site, rule = propose(FRONT_PAGE, HOME, [feed], taken={"news"})
    assert site.name == "newsexample"
    assert site.title == "The News"
    assert site.feeds == ("https://www.news.example/feed/",)
    assert site.sections == ()
    assert (site.language, site.country) == ("en", "gb")
    assert site.articles == (r"\-\d{6,}/?$",)
    assert rule.explained == 30
    assert not rule.rule.accepts(f"{HOME}sport/football/")


def test_what_proved_to_be_no_article_is_learned_from() -> None:
    topics = [candidate(f"/live-topic/{1_000_000 + n}") for n in range(10)]
    stories = [candidate(f"/story/{2_000_000 + n}/bridge") for n in range(20)]
    refused = {topic.url for topic in topics}
    site, rule = propose(FRONT_PAGE, HOME, [trial("/feed/", *stories, *topics)], refused=refused)
    assert not rule.rule.accepts("https://www.news.example/live-topic/1000077"), site.articles
    assert rule.rule.accepts("https://www.news.example/story/2000077/river")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://elpais.com/", "elpais"),
        ("https://www.bbc.co.uk/news", "bbc"),
        ("https://20minutos.es", "site20minutos"),
        ("https://the-sun.example", "thesun"),
        ("https://import.example", "siteimport"),
        ("https://demo.example", "demoexample"),
        ("http://127.0.0.1:8000/", "site127"),
    ],
)
def test_a_sites_name_is_fit_for_a_module(url: str, name: str) -> None:
    assert spider_name(url) == name


def test_a_taken_name_is_not_given_again() -> None:
    assert spider_name("https://elpais.com", {"elpais"}) == "elpaiscom"
    assert spider_name("https://elpais.com", {"elpais", "elpaiscom"}) == "elpais2"


def attributes(text: str) -> dict[str, Any]:
    """The literals that a spider's file assigns in its class."""
    (declared,) = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in declared.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def test_a_spiders_file_says_what_the_declaration_says() -> None:
    site = Declaration(
        "news",
        "The News",
        ("news.example",),
        HOME,
        "en",
        "gb",
        (f"{HOME}feed/",),
        (),
        (),
        (r"-\d{6,}/?$",),
        ("a number",),
    )
    text = render(site)
    assert text.startswith('"""The News."""\n\nfrom __future__ import annotations\n')
    assert attributes(text) == {
        "name": "news",
        "domains": ("news.example",),
        "language": "en",
        "country": "gb",
        "home": HOME,
        "feeds": (f"{HOME}feed/",),
        "articles": (r"-\d{6,}/?$",),
    }
    assert 'r"-\\d{6,}/?$"' in text
    assert all(len(line) <= 120 for line in text.splitlines())


@pytest.mark.parametrize("said", [500, "unlimited"], ids=["a budget", "unlimited"])
def test_a_spiders_file_says_what_the_list_says_of_daily_requests(said: int | str) -> None:
    site = Declaration("news", "The News", ("news.example",), HOME, daily_requests=said)
    assert attributes(render(site))["daily_requests"] == said


HOSTILE = [
    '"""; import os; os.abort()  #',
    "'\\",
    "\\",
    '\n\nimport os\nos.abort()\n"',
    "{x}",
    "\u202e\u2028x",
    "x" * 500,
    "",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_a_site_says_becomes_code(text: str) -> None:
    site = Declaration(
        "news", text, (text,), text, text, text, (text, text), (text,), (text,), (text, text), (text, text)
    )
    tree = ast.parse(render(site))
    kinds = [type(node).__name__ for node in tree.body]
    assert kinds == ["Expr", "ImportFrom", "ImportFrom", "ClassDef"]
    assert attributes(render(site))["home"] == text
    assert attributes(render(site)).get("articles") == (text, text)


@pytest.mark.parametrize(
    ("url", "declared", "country"),
    [
        ("https://www.elpais.com.uy/", [], "uy"),
        ("https://www.bbc.co.uk/", ["en"], "gb"),
        ("https://n.example.de/", ["en-US"], "de"),
        ("https://twitch.tv/", ["en-US"], "us"),
        ("https://www.semana.com/", ["es-CO", "es_CO", None], "co"),
        ("https://news.example/", ["en-GB"], "gb"),
        ("https://news.example/", ["en", "", None], None),
        ("https://127.0.0.1/", ["zh-Hans-CN"], "cn"),
    ],
)
def test_the_country_is_the_domains_or_the_languages(url: str, declared: list[str | None], country: str | None) -> None:
    assert country_of(url, declared) == country


def test_the_language_is_what_most_declare() -> None:
    assert language_of(["en-US", "es", "es-MX", None, "", "nonsense language"]) == "es"
    assert language_of([None, "english"]) is None


def test_the_docstring_of_a_declaration_names_all_that_its_rules_look_for() -> None:
    meanings = tuple(f"what the rule number {number} looks for" for number in range(9))
    text = render(
        Declaration(name="one", title="One", domains=("one.example",), home="https://one.example/", meanings=meanings)
    )
    tree = ast.parse(text)
    (spider,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert " ".join((ast.get_docstring(spider) or "").split()) == f"Articles: {'; '.join(meanings)}."
    assert max(map(len, text.splitlines())) <= 120
