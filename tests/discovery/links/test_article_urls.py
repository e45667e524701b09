"""Which addresses look like articles on a site that declares no rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from newscrawl.discovery.links.article_urls import ArticleRule, is_home, looks_like_article, never_an_article

SAMPLES = Path(__file__).parents[2] / "data" / "site_samples.json"

ARTICLES = """
/2026/03/02/a-bridge-fell /2026/03/02/bridge/ /2026-03-02/bridge.html /2026/mar/02/bridge /20260302/bridge
/politics/20260302/1234/vote.html /news/2026/3/2/vote-in-the-house
/news/a-bridge-fell-into-the-river /a-bridge-fell-into-the-river/ /news/a_bridge_fell_into_the_river.html
/news/bridge-1234567 /news/1234567 /news/1234567/ /1234567-bridge-falls /noticia/bridge-falls-n1234567.html
/bridge-falls_1_12345678.html /news/article1234567.ece /bridge-1.1234567 /politik/artikel.aspx?id=1234567
/story.html?id=784c945f-f2c0-4b30-8c0c-c00c4a529821 /?p=1234 /index.php?article=77
/article/596187204627 /a9a988465ae944bd8dbd5094ebd562ad /world/europe/vote-in-the-house.html /news/12345/bridge-falls
/news/%E6%A9%8B%E3%81%8C%E5%B7%9D%E3%81%AB%E8%90%BD%E3%81%A1%E3%81%9F%E4%BA%8B /новости/мост-упал-в-реку-вчера
/espectaculos/noticia/pelea-en-los-pasillos/I7QCHL6HAZCBBIROIOUNHFGB5I/ /a/hanna-vermisst-seit-gestern
""".split()

OTHERS = """
/ /index.html /index.php /en /en/ /es-mx/ /?utm_source=x
/news /news/ /world/europe/ /deportes/futbol /deportes/futbol/liga-de-campeones/ /sport/premier-league /us-news.html
/economia/index.html /section/world/ /politics/elections/
/tag/bridge /tags/a-long-tag-of-many-words /topic/ukraine-war-latest-updates-1234567 /temas/la-guerra/2026/03/02/
/author/jane-doe-of-the-north /autores/maria-lopez-de-la-vega/ /profile/12345678
/search?q=bridge /search/a-bridge-fell-into-the-river /?s=bridge /news/?query=bridge /buscador/
/login /signin?next=/2026/03/02/bridge /account/register /subscribe/offer-for-new-readers-2026 /newsletters/
/report-of-the-year-2026.pdf /2026/03/02/photo.jpg /feed/ /rss.xml /sitemap.xml /news/feed/ /audio/episode-1234567.mp3
/2026/ /2026/03/ /2026/03/02/ /page/2 /news/page/12345 /news/2/ /videos/ /video /galleries /fotogaleria/ /podcasts/
/privacy-policy /about-us /contacto /wp-login.php /wp-admin/ /wp-json/wp/v2/posts/1234567 /category/news-from-a-region/
""".split()


@pytest.mark.parametrize("address", ARTICLES)
def test_an_article_is_recognised_by_its_shape(address: str) -> None:
    assert looks_like_article(f"https://news.example{address}")


@pytest.mark.parametrize("address", OTHERS)
def test_home_section_list_and_service_pages_are_not(address: str) -> None:
    assert not looks_like_article(f"https://news.example{address}")


def test_nearly_all_articles_of_the_declared_sites_are_recognised_without_their_rules() -> None:
    samples = [url for urls in json.loads(SAMPLES.read_text(encoding="utf-8")).values() for url in urls]
    missed = [url for url in samples if not looks_like_article(url)]
    assert len(missed) <= 0.02 * len(samples), missed


@pytest.mark.parametrize(
    "url", ["https://a.example", "https://a.example/", "https://a.example/de/", "https://a.example/home"]
)
def test_a_front_page_is_a_front_page_in_any_language(url: str) -> None:
    assert is_home(url)
    assert never_an_article(url)


@pytest.mark.parametrize("url", ["https://a.example/?p=1234", "https://a.example/news/", "https://a.example/bridge"])
def test_other_pages_are_not_front_pages(url: str) -> None:
    assert not is_home(url)


def test_a_rule_looks_at_the_path_and_at_path_and_query() -> None:
    rule = ArticleRule.of([r"/story\.html$", r"[?&]id=\d+$"])
    assert rule.accepts("https://a.example/story.html")
    assert rule.accepts("https://a.example/story.html?page=2")
    assert rule.accepts("https://a.example/x?a=1&id=77")
    assert not rule.accepts("https://id=77.example/x")


def test_no_rule_makes_a_log_in_page_an_article() -> None:
    rule = ArticleRule.of([".*"])
    assert rule.accepts("https://a.example/anything")
    for address in ("/", "/login", "/search?q=x", "/tag/x", "/author/x", "/x.pdf"):
        assert not rule.accepts(f"https://a.example{address}")
