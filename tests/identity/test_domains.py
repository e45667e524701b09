"""Which hosts have one registrable domain."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.model.identity import registrable_domain, same_site
from newscrawl.model.identity.domains import ascii_host, one_address


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("www.bbc.co.uk", "bbc.co.uk"),
        ("https://www.bbc.co.uk:443/news?x=//y.com", "bbc.co.uk"),
        ("https://user@example.com/", "example.com"),
        ("EXAMPLE.com.", "example.com"),
        ("example.com:8080", "example.com"),
        ("one.blogspot.com", "one.blogspot.com"),
        ("two.one.github.io", "one.github.io"),
        ("noticias.elpais.com.ar", "elpais.com.ar"),
        ("www.münchen.de", "xn--mnchen-3ya.de"),
        ("www.straße.de", "xn--strae-oqa.de"),
        ("demo.localhost", "demo.localhost"),
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
        ("127.0.0.1:8765", "127.0.0.1"),
        ("http://[2001:db8::1]:80/", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("", ""),
        (".", ""),
        ("http://", ""),
        ("http://[bad/", ""),
        ("a b.com", ""),
        ("\x00\ud800", ""),
        ("a" * 300 + ".com", ""),
    ],
)
def test_the_registrable_domain_comes_from_the_public_suffix_list(name: str, domain: str) -> None:
    assert registrable_domain(name) == domain


def test_two_hosts_of_one_domain_are_one_site() -> None:
    assert same_site("https://www.example.com/a", "http://sport.example.com:8080/b")
    assert not same_site("https://example.com/", "https://example.org/")
    assert not same_site("https://one.blogspot.com/", "https://two.blogspot.com/")


def test_what_has_no_host_is_nobodys_site() -> None:
    assert not same_site("", "")
    assert not same_site("http://", "http://")


@settings(deadline=None)
@given(st.text())
def test_no_string_breaks_it(text: str) -> None:
    domain = registrable_domain(text)
    assert domain.isascii()
    assert registrable_domain(domain) == domain


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("straße.de", "xn--strae-oqa.de"),
        ("STRASSE.de.", "strasse.de"),
        ("a_b.example.com", "a_b.example.com"),
        ("a_ß.example.com", "xn--a_-hia.example.com"),
        ("r3---sn-x.com", "r3---sn-x.com"),
        ("💩.la", "xn--ls8h.la"),
        ("日本。jp", "xn--wgv71a.jp"),
        ("a\u00adb.com", "ab.com"),
        ("xn--strae-oqa.de", "xn--strae-oqa.de"),
        ("xn--ß.de", ""),
        ("％41ß.de", ""),
        ("tp%C3%AE.example", "xn--tp-rja.example"),
        ("ST%52a%c3%9fe.de", "xn--strae-oqa.de"),
        ("a%2Eb.de", "a.b.de"),
        ("a%2541.de", ""),
        ("a%2Fb.de", ""),
        ("a%00.de", ""),
        ("a%FF.de", ""),
        ("a%4.de", ""),
        ("ß..de", ""),
        ("ß" * 64 + ".de", ""),
        ("ß.\ud800", ""),
    ],
)
def test_a_host_is_looked_up_as_browsers_do(host: str, known: str) -> None:
    assert ascii_host(host) == known


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("2130706433", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("0:0:0:0:0:0:0:1", "::1"),
        ("99999999999", "99999999999"),
        ("example.com", "example.com"),
        ("1.example", "1.example"),
    ],
)
def test_an_address_has_one_spelling(host: str, address: str) -> None:
    assert one_address(host) == address
