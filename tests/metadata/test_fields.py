"""Language, section, tags, image, canonical, site name, description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.metadata.languages import primary_subtag
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
        (None, None),
        ({"name": "x"}, None),
        ("a sentence in a field", None),
    ],
)
def test_languages_become_primary_subtags(raw: Any, language: str | None) -> None:
    assert primary_subtag(raw) == language


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
