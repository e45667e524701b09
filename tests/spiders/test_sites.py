"""The 24 sites that come with the project: what they declare, and which addresses they take for articles. An operator
may add sites of their own to spiders/, of which nothing is asked here."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from newscrawl.crawling.spider import NewsSpider
from newscrawl.crawling.spider.site_declaration import Site
from newscrawl.errors import UsageError
from newscrawl.model.identity import clean_url, registrable_domain
from spiders.generic import Generic

Spiders = Mapping[str, type[NewsSpider]]
Samples = Mapping[str, list[str]]

SITES = """abc apnews biobiochile businessinsider cbc cnbc cooperativa dailymail dailymaverick elcomercio eldeber
eldiario elheraldo elmundo elpais globalnews independent ladiaria lanacion lavanguardia pagina12 radionacional
theguardian thewest""".split()

NO_ARTICLES = """
/ /index.html /en/ /es/ /portada/ /?utm_source=x
/news /news/ /world/europe /deportes/ /deportes/futbol/ /deportes/futbol/liga-de-campeones/ /us-news /section/politics
/economia/index.html /sport/football.html /noticias/nacional/ /opinion/columnistas/
/tag/elecciones /tags/climate-change-and-energy /noticias/tag/banco-central-2024 /topic/ukraine-war-latest-updates
/temas/guerra-en-ucrania-20240101/ /etiqueta/inflacion-en-argentina-nid12345/ /topics/a-long-topic-name-here-1.1234567
/author/jane-doe /autor/maria-del-carmen-perez-lopez/ /authors/jane-doe-the-second-article-1234567
/autores/juan-perez-EN1234567/ /profile/john-smith /byline/some-body-with-names-20260425145127-nts.html
/search /search?q=election+results+2024 /buscar/?q=gobierno /?s=gobierno /buscador/2024/05/04/que-es-esto.html
/search/2024/mar/11/what-is-this /news/?query=some-long-headline-a1234567.html
/login /signin /login.html /account/register /mi-cuenta/ /user/login?redirect_to=/2024/01/02/some-thing.html
/subscribe/2024/05/some-offer-for-readers.html /newsletters/weekly-briefing /rss/ /feed/ /wp-login.php
/2024/03/11/report.pdf /docs/annual-report-of-the-company-2024.pdf /article/the-report-in-full-596187204627.pdf
/images/2024/03/11/photo-of-the-day.jpg /sitemap.xml /news-sitemap.xml /robots.txt
/2024/ /2024/03/ /2024/03/11/ /page/2/ /news/page/12345/ /video/ /videos/ /fotogalerias/ /gallery
""".split()
"""Home, section, tag, author, search, log-in, file, archive and list shapes, some of them ending as article
addresses of these sites do."""


def site_of(spider: type[NewsSpider]) -> Site:
    return spider().site


def test_there_are_fourteen_spanish_and_ten_english_sites_of_at_least_seven_countries(spiders: Spiders) -> None:
    ours = [spiders[name] for name in SITES]
    assert Counter(spider.language for spider in ours) == {"es": 14, "en": 10}
    assert len({spider.country for spider in ours}) >= 7


@pytest.mark.parametrize("name", SITES)
def test_a_site_is_a_small_declaration(name: str, spiders: Spiders) -> None:
    """10 to 25 lines, no methods, and a docstring that says how its articles are recognised."""
    source = Path(inspect.getfile(spiders[name])).read_text(encoding="utf-8")
    (declared,) = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    assert 10 <= len(source.splitlines()) <= 25
    assert all(isinstance(node, ast.Assign | ast.Expr) for node in declared.body)
    assert ast.get_docstring(declared, clean=True)
    assert Path(inspect.getfile(spiders[name])).stem == name


@pytest.mark.parametrize("name", SITES)
def test_the_declared_values_can_work(name: str, spiders: Spiders) -> None:
    spider = spiders[name]
    site = site_of(spider)
    assert len(spider.country or "") == 2
    assert all(registrable_domain(domain) == domain and "." in domain for domain in site.domains)
    assert site.owns(site.home)
    for source in site.sources:
        assert clean_url(source.url) == source.url
        assert urlsplit(source.url).scheme == "https"


def test_no_domain_belongs_to_two_sites(spiders: Spiders) -> None:
    domains = Counter(domain for name in SITES for domain in spiders[name].domains)
    assert set(domains.values()) == {1}


@pytest.mark.parametrize("name", SITES)
def test_a_site_owns_and_accepts_all_its_samples(name: str, spiders: Spiders, samples: Samples) -> None:
    site = site_of(spiders[name])
    assert samples[name]
    assert [url for url in samples[name] if not (site.owns(url) and site.rule.accepts(url))] == []


@pytest.mark.parametrize("name", SITES)
def test_a_site_accepts_its_samples_as_identity_writes_them(name: str, spiders: Spiders, samples: Samples) -> None:
    """Candidates are judged after cleaning: without tracking parameters and fragment."""
    rule = site_of(spiders[name]).rule
    assert [url for url in map(clean_url, samples[name]) if not rule.accepts(url)] == []


@pytest.mark.parametrize("name", SITES)
def test_a_site_refuses_what_is_no_article_anywhere(name: str, spiders: Spiders, samples: Samples) -> None:
    rule = site_of(spiders[name]).rule
    host = urlsplit(samples[name][-1]).netloc
    assert [shape for shape in NO_ARTICLES if rule.accepts(f"https://{host}{shape}")] == []


@pytest.mark.parametrize("name", SITES)
def test_a_site_refuses_other_sites_articles_under_its_own_host(name: str, spiders: Spiders, samples: Samples) -> None:
    """At least 95 % of them: the rule says how this site writes, not what an article looks like in general."""
    rule = site_of(spiders[name]).rule
    host = urlsplit(samples[name][-1]).netloc
    others = [urlsplit(url)._replace(netloc=host).geturl() for site in SITES if site != name for url in samples[site]]
    accepted = [url for url in others if rule.accepts(url)]
    assert len(accepted) <= 0.05 * len(others), accepted


@pytest.mark.parametrize("name", SITES)
def test_a_rule_is_general_and_not_a_list_of_its_samples(name: str, spiders: Spiders, samples: Samples) -> None:
    """A sample stays an article when its letters and digits become others of their kind."""
    rule = site_of(spiders[name]).rule
    sample = max(samples[name], key=len)
    parts = urlsplit(clean_url(sample))
    changed = (
        parts.path.replace("presidente", "gobernador").replace("trump", "smith").replace("5", "6").replace("8", "7")
    )
    changed = changed.replace("la-", "una-").replace("-del-", "-sobre-").replace("-the-", "-one-")
    assert rule.accepts(parts._replace(path=changed).geturl()), changed


def test_a_lookalike_domain_is_not_the_site(spiders: Spiders) -> None:
    site = site_of(spiders["elpais"])
    assert site.owns("https://sociedad.elpais.com/x")
    assert not site.owns("https://notelpais.com/x")
    assert not site.owns("https://elpais.com.evil.example/x")
    assert not site.owns("https://evil.example/elpais.com")


def test_generic_is_the_site_of_the_address_it_is_given() -> None:
    spider = Generic(url="https://www.example.co.uk/news/")
    assert spider.site.domains == ("example.co.uk",)
    assert spider.site.home == "https://www.example.co.uk/news/"
    assert Generic(url="http://127.0.0.1:8000/").site.owns("http://127.0.0.1:8000/a")


def test_generic_without_an_address_says_what_it_needs() -> None:
    with pytest.raises(UsageError, match=re.escape("-a url=https://example.com/")):
        Generic()
