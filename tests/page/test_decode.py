"""Bytes are decoded in the order that browsers use, never with an exception."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.page.decode import binary_kind, decode

SPANISH = "<p>El niño comió piñas en A Coruña</p>"


@pytest.mark.parametrize(
    ("body", "content_type", "encoding", "source"),
    [
        (b"\xef\xbb\xbf" + SPANISH.encode(), "text/html; charset=iso-8859-1", "utf-8", "bom"),
        (b"\xff\xfe" + SPANISH.encode("utf-16-le"), None, "utf-16-le", "bom"),
        (SPANISH.encode("cp1252"), "text/html; charset=iso-8859-1", "cp1252", "header"),
        (b'<meta charset="windows-1252">' + SPANISH.encode("cp1252"), None, "cp1252", "meta"),
        (b'<meta charset="utf-8">' + SPANISH.encode("cp1252"), "text/html; charset=latin1", "cp1252", "header"),
        (
            b'<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-15">' + SPANISH.encode("iso8859-15"),
            None,
            "iso8859-15",
            "meta",
        ),
        (b"<meta charset=utf-16>" + SPANISH.encode(), None, "utf-8", "meta"),
        (b'<meta charset="x-nonsense">' + SPANISH.encode(), None, "utf-8", "detected"),
        (b'<meta charset="utf-7">' + SPANISH.encode(), None, "utf-8", "detected"),
        (b'<meta charset="rot13">' + SPANISH.encode(), "text/html; charset=base64", "utf-8", "detected"),
        (SPANISH.encode(), None, "utf-8", "detected"),
        (SPANISH.encode("utf-16-le"), None, "utf-16-le", "detected"),
        (SPANISH.encode("utf-16-be"), None, "utf-16-be", "detected"),
        (b"", None, "utf-8", "detected"),
    ],
)
def test_the_first_declaration_that_can_be_read_wins(
    body: bytes, content_type: str | None, encoding: str, source: str
) -> None:
    decoded = decode(body, content_type=content_type)
    assert (decoded.encoding, decoded.source, decoded.replaced) == (encoding, source, 0)
    if body:
        assert SPANISH.encode() in decoded.data


@pytest.mark.parametrize(
    ("declared", "python", "text"),
    [("gb2312", "gb18030", "镕基说"), ("shift_jis", "cp932", "①新聞"), ("euc-kr", "cp949", "똠방각하")],
)
def test_labels_mean_the_superset_that_browsers_read(declared: str, python: str, text: str) -> None:
    decoded = decode(text.encode(python), content_type=f"text/html; charset={declared}")
    assert decoded.data.decode() == text


def test_a_meta_left_behind_by_a_conversion_to_utf8_is_not_believed() -> None:
    decoded = decode(b"<meta charset=iso-8859-1>" + SPANISH.encode())
    assert (decoded.encoding, decoded.source) == ("utf-8", "detected")
    assert (
        decode(b"<meta charset=iso-8859-1>" + SPANISH.encode(), content_type="text/html; charset=latin1").source
        == "header"
    )
    assert decode(b"<meta charset=iso-8859-1>" + SPANISH.encode("cp1252")).source == "meta"
    assert decode(b"<meta charset=iso-8859-1>\xc3\xa9").source == "meta"
    assert decode(b"<meta charset=gbk>" + "镕基说的新闻".encode("gbk")).source == "meta"


def test_what_the_caller_knows_goes_before_header_and_meta_but_not_before_a_byte_order_mark() -> None:
    assert decode(SPANISH.encode("cp1252"), content_type="text/html; charset=utf-8", encoding="cp1252").replaced == 0
    assert decode(b"\xef\xbb\xbf" + SPANISH.encode(), encoding="cp1252").source == "bom"


def test_invalid_sequences_are_replaced_and_counted() -> None:
    decoded = decode(b"ok \xff\xfe\xfa and \xc3\x28", content_type="text/html; charset=utf-8")
    assert decoded.replaced == 4
    assert "\ufffd".encode() in decoded.data


def test_nul_bytes_and_lone_surrogates_do_not_survive() -> None:
    assert decode(b"a\0b" + SPANISH.encode()).data.count(b"\0") == 0
    assert decode("a\ud800b").data == b"a?b"


@given(
    st.binary(max_size=300), st.sampled_from([None, "text/html", "text/html; charset=big5", "charset=;;=", "\udcff"])
)
def test_any_bytes_become_text_that_can_be_stored(body: bytes, content_type: str | None) -> None:
    text = decode(body, content_type=content_type).data.decode("utf-8")
    assert "\0" not in text


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01", "a JPEG image"),
        (b"%PDF-1.7\n%\x00\x01\x02", "a PDF file"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "a gzip file"),
        (b"PK\x03\x04\x14\x00", "a ZIP file or an Office document"),
        (b"\x00\x00\x00\x18ftypmp42", "a film or sound"),
        (bytes(range(256)) * 9, "binary data"),
        (SPANISH.encode("utf-16-le"), None),
        (b"\xff\xfe" + SPANISH.encode("utf-16-le"), None),
        (SPANISH.encode("cp1252"), None),
        (b"", None),
        (b"\t\r\n\x0c\x1b plain", None),
    ],
)
def test_images_and_archives_are_told_from_text_by_their_bytes(body: bytes, kind: str | None) -> None:
    assert binary_kind(body) == kind


@pytest.mark.parametrize("said", ["text/html; charset=utf-8", None])
@pytest.mark.parametrize("encoding", ["cp1252", "cp1251"])
def test_a_page_that_says_utf_8_and_plainly_is_not_is_detected(said: str | None, encoding: str) -> None:
    text = {
        "cp1252": "Die Brücke über den Fluß wurde am Montag für alle geöffnet, später als geplant. " * 4,
        "cp1251": "Мост через реку открыли в понедельник, на два года позже, чем было обещано. " * 4,
    }[encoding]
    meta = "" if said else '<meta charset="utf-8">'
    decoded = decode((meta + text).encode(encoding), content_type=said)
    assert (decoded.data.decode(), decoded.replaced) == (meta + text, 0)
    assert decoded.source in {"detected", "default"}


def test_some_broken_characters_do_not_make_another_encoding_of_utf_8() -> None:
    body = SPANISH.encode() * 3 + b"\xff \xfe \xe9"
    decoded = decode(body, content_type="text/html; charset=utf-8")
    assert (decoded.encoding, decoded.source, decoded.replaced) == ("utf-8", "header", 3)


@pytest.mark.parametrize("control", [b"\x00", b"\x02", b"\x1f", b"\x0b\x01\x02"])
def test_a_page_with_stray_control_characters_is_a_page(control: bytes) -> None:
    """Browsers read over them, and editors' systems leave them in titles."""
    assert (
        binary_kind(b"<html><title>Pier 5" + control + b"</title><body><p>The pier was opened.</p></body></html>")
        is None
    )


@pytest.mark.parametrize("before", range(8186, 8194))
@pytest.mark.parametrize("character", ["é", "漢", "😀"])
def test_utf8_is_recognised_wherever_its_characters_stand(before: int, character: str) -> None:
    body = (b"x" * before + character.encode()) * 3
    assert decode(body).encoding == "utf-8"
    assert decode(body, encoding="utf-8").replaced == 0
    assert decode(body + b"\xe9", encoding="utf-8").replaced == 1
    assert decode(body + character.encode()[:-1], encoding="utf-8").replaced == 1


def test_a_page_that_says_utf8_and_is_keeps_what_it_says_as_the_source() -> None:
    assert decode("<meta charset=utf-8><p>é à ü ö".encode()).source == "meta"
