"""Language, section, tags, image, canonical, site name, description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.model import Metadata

Read = Callable[..., Metadata]


@pytest.mark.parametrize(
    ("raw", "language"),
    [
        ("en", "en"),
        ("EN", "en"),
        ("es-MX", "es"),
        ("es_ES", "es"),
        ("zh-Hans-CN", "zh"),
        ("pt-br", "pt"),
        ("eng", "en"),
        ("spa", "es"),
        ("English", "en"),
        ("español", "es"),
        ("iw", "he"),
        ("nb-NO", "no"),
        ("jp", "ja"),
        ("fil", "fil"),
        ("en, es", "en"),
        ("und", None),
        ("x-default", None),
        ("mul", None),
        ("", None),
        ("e", None),
        ("123", None),
        ("a sentence in a field", None),
    ],
)
def test_languages_become_primary_subtags(read: Read, raw: str, language: str | None) -> None:
    assert read(lang=raw).language == language


def test_html_lang_wins_then_og_locale_then_json_ld(read: Read) -> None:
    locale = '<meta property="og:locale" content="es_MX">'
    ld = {"@type": "NewsArticle", "inLanguage": {"@type": "Language", "alternateName": "fr"}}
    assert read(locale, ld=ld, lang="de-AT").language == "de"
    assert read(locale, ld=ld).language == "es"
    assert read(ld=ld).language == "fr"
    assert read('<meta http-equiv="content-language" content="it">').language == "it"
    assert read().language is None


def test_section_and_tags(read: Read) -> None:
    page = read(
        '<meta property="article:section" content="Sport"><meta property="article:tag" content="River">'
        '<meta name="keywords" content="site, words">',
        ld={"@type": "NewsArticle", "articleSection": ["Local", "News"], "keywords": "bridge, Council,BRIDGE, #river"},
    )
    assert page.section == "Local"
    assert page.tags == ("bridge", "Council", "river")


def test_the_old_keywords_count_only_when_there_are_no_others(read: Read) -> None:
    assert read('<meta name="keywords" content="one; two,, one">').tags == ("one", "two")


def test_tags_are_bounded(read: Read) -> None:
    tags = read(ld={"@type": "NewsArticle", "keywords": [f"tag {i}" for i in range(500)] + ["x" * 5_000]}).tags
    assert len(tags) == 50


@pytest.mark.parametrize(
    ("image", "address"),
    [
        ("https://cdn.example.com/a.jpg", "https://cdn.example.com/a.jpg"),
        ("/a b.jpg", "https://www.example.com/a%20b.jpg"),
        ("//cdn.example.com/a.jpg", "https://cdn.example.com/a.jpg"),
        (["https://cdn.example.com/a.jpg", "b.jpg"], "https://cdn.example.com/a.jpg"),
        ({"@type": "ImageObject", "url": "https://cdn.example.com/a.jpg"}, "https://cdn.example.com/a.jpg"),
        ([{"contentUrl": "https://cdn.example.com/a.jpg"}], "https://cdn.example.com/a.jpg"),
        ("data:image/png;base64,AAAA", None),
        ("javascript:alert(1)", None),
        ("http://[bad/a.jpg", None),
        ("http:///a.jpg", None),
        ("https://cdn.example.com/" + "a" * 3_000, None),
        (5, None),
        (None, None),
    ],
)
def test_the_lead_image_is_an_absolute_http_address(read: Read, image: Any, address: str | None) -> None:
    assert read(ld={"@type": "NewsArticle", "image": image}).image == address


UNFILLED = (
    "undefined null None NaN [object&nbsp;Object] /undefined https://www.example.com/undefined https://undefined/story "
    "https://null/ {{url}} ${url} https://www.example.com/${slug} https://www.example.com/{{slug}} %s "
    "https://www.example.com/%s %7B%7Burl%7D%7D https://www.example.com/%7B%7Bslug%7D%7D &lt;%=url%&gt; #{url} {url} "
    "https://www.example.com/{slug} https://www.example.com/[slug] __URL__ $url @url /false "
    "https://https://www.example.com/story https://www.example.comhttps://www.example.com/story "
    "http://www.example.com/https://www.example.com/story https://www.example.com//www.example.com/story "
    "https://www.example.com/www.example.com/story https://www.example.comwww.example.com/story http://localhost/story"
).split()


@pytest.mark.parametrize("address", UNFILLED)
@pytest.mark.parametrize("head", ['<link rel="canonical" href="{}">', '<meta property="og:url" content="{}">'])
def test_what_a_template_left_unfilled_is_no_canonical(read: Read, head: str, address: str) -> None:
    stated = head.format("{}").replace("{}", address)
    assert read(stated).canonical is None
    right = "https://www.example.com/right"
    assert (
        read(f'{stated}<meta property="og:url" content="{right}"><link rel="canonical" href="{right}">').canonical
        == right
    )


@pytest.mark.parametrize(
    "address",
    [
        "https://www.example.com/news/undefined-behaviour",
        "https://www.example.com/news/null-and-void",
        "https://archive.example/web/2020/https://www.example.com/story",
        "https://www.example.com/share?u=https://www.example.com/story",
        "https://www.example.com/tag/www.other.example",
        "https://www.example.com/100%25-sure",
        "https://www.example.com/story?x=%7Bid%7D",
        "https://www.example.com/a/(S(1))/b",
    ],
)
def test_an_address_with_similar_words_is_a_canonical(read: Read, address: str) -> None:
    assert read(f'<link rel="canonical" href="{address}">').canonical == address


def test_a_host_without_a_dot_is_a_canonical_on_its_own_pages(read: Read) -> None:
    stated = '<link rel="canonical" href="http://localhost:8000/story">'
    assert read(stated, url="http://localhost:8000/s").canonical == "http://localhost:8000/story"


def test_the_canonical_address_is_resolved_and_only_stated(read: Read) -> None:
    assert read('<link rel="canonical" href="/a?x=1">').canonical == "https://www.example.com/a?x=1"
    assert (
        read('<base href="https://other.example/d/"><link rel="canonical" href="e">').canonical
        == "https://other.example/d/e"
    )
    assert read('<link rel="shortlink canonical" href="https://evil.example/">').canonical == "https://evil.example/"
    assert read('<meta property="og:url" content="https://example.com/b">').canonical == "https://example.com/b"
    assert read('<link rel="canonical" href="javascript:x">').canonical is None
    assert read('<link rel="canonical" href="/a">', url=None).canonical is None


def test_site_name_and_description(read: Read) -> None:
    page = read(
        '<meta property="og:site_name" content=" The  Globe ">'
        '<meta name="description" content="What &amp;quot;happened&amp;quot;">'
    )
    assert (page.site_name, page.description) == ("The Globe", 'What "happened"')
    publisher = read(
        ld={"@type": "NewsArticle", "publisher": {"@id": "#p"}, "@graph": [{"@id": "#p", "name": "Globe"}]}
    )
    assert publisher.site_name == "Globe"


def test_strings_are_of_bounded_length(read: Read) -> None:
    long = "word " * 5_000
    page = read(
        f'<title>{long}</title><meta name="description" content="{long}">'
        f'<meta property="og:site_name" content="{long}">'
        f'<meta property="article:section" content="{long}">'
    )
    assert page.title is not None
    assert page.description is not None
    assert (len(page.title) <= 500, len(page.description) <= 2_000) == (True, True)
    assert all(len(value or "") <= 100 for value in (page.site_name, page.section))


def test_an_empty_page_says_nothing(read: Read) -> None:
    assert read(url=None) == Metadata()
