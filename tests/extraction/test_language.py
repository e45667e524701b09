"""The language of a page: from its text if it is long enough, else as it declares."""

from __future__ import annotations

import justext as package
import pytest

from newscrawl.extraction.language import (
    LIST_NAMES,
    canonical_tag,
    declared_language,
    detect,
    page_language,
)
from newscrawl.page import parse

SPANISH = (
    "El ayuntamiento aprobó ayer por la tarde la construcción de una biblioteca junto al río, después de una larga "
    "discusión con los vecinos, que pedían un parque para los niños del barrio."
)


def test_every_list_of_the_package_has_a_language() -> None:
    assert set(LIST_NAMES.values()) == package.get_stoplists()


@pytest.mark.parametrize(
    ("declared", "tag"),
    [
        ("es", "es"),
        ("es-MX", "es"),
        ("ES_mx", "es"),
        (" pt-BR ", "pt"),
        ("no", "nb"),
        ("nn-NO", "nn"),
        ("zh-Hant-TW", "zh"),
        ("cmn", "zh"),
        ("sr-Latn-RS", "sh"),
        ("sr-Cyrl", "sr"),
        ("be-tarask", "be-tarask"),
        ("en-simple", "en-simple"),
        ("iw", "he"),
        ("in", "id"),
        ("fil-PH", "tl"),
        ("so", "so"),
        ("", ""),
        ("-", ""),
        ("english", ""),
        ("x", ""),
        ("{{lang}}", ""),
        ("español", ""),
    ],
)
def test_declared_names_become_the_shortest_known_tag(declared: str, tag: str) -> None:
    assert canonical_tag(declared) == tag


@pytest.mark.parametrize(
    ("html", "declared"),
    [
        ('<html lang="es-AR"><p>x', "es"),
        ('<html xml:lang="fr"><p>x', "fr"),
        ('<head><meta http-equiv="content-language" content="de, en"></head><p>x', "de"),
        ('<head><meta property="og:locale" content="it_IT"></head><p>x', "it"),
        ('<html lang="{{ lang }}"><head><meta property="og:locale" content="it_IT"></head><p>x', "it"),
        ("<p>x", ""),
    ],
)
def test_what_a_page_declares(html: str, declared: str) -> None:
    assert declared_language(parse(html)) == declared


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        pytest.param("", SPANISH, "es", id="nothing declared"),
        pytest.param("es", SPANISH, "es", id="both agree"),
        pytest.param("en", SPANISH * 3, "es", id="a template's language is overruled by the text"),
        pytest.param("utf-8", SPANISH, "es", id="a declaration that is none"),
        pytest.param("pl", "Short text that is not enough for any guess at all here.", "pl", id="too little text"),
        pytest.param("so", "", "so", id="no text"),
        pytest.param("", "", "", id="nothing tells"),
    ],
)
def test_a_pages_language(declared: str, text: str, language: str) -> None:
    assert page_language(parse(f'<html lang="{declared}"><body><p>{text}</p></body></html>')) == language


@pytest.mark.parametrize("text", ["", "12 34 56", "\ufffd" * 200, "a\ud800b"])
def test_detection_never_fails(text: str) -> None:
    tag, probability = detect(text)
    assert isinstance(tag, str)
    assert 0 <= probability <= 1
