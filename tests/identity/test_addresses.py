"""Addresses: their keys, domains, patterns, and what is masked in them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.errors import InvalidUrl, NewscrawlError
from newscrawl.model.identity import clean_url, registrable_domain, same_site, url_key
from newscrawl.model.identity.domains import ascii_host, one_address
from newscrawl.model.identity.masking import MASK, masked, without_user
from newscrawl.model.identity.patterns import MAX_LENGTH, directory_of, pattern_of, repeats_itself
from newscrawl.model.identity.urls import MAX_URL_CHARACTERS, with_ascii_host

SAME = [
    ("scheme", "http://example.com/a", "https://example.com/a"),
    ("upper-case scheme and host", "HTTPS://Example.COM/a", "https://example.com/a"),
    ("default port", "http://example.com:80/a", "https://example.com:443/a"),
    ("closing dot of the host", "https://example.com./a", "https://example.com/a"),
    ("user", "https://user:secret@example.com/a", "https://example.com/a"),
    ("empty path", "https://example.com", "https://example.com/"),
    ("fragment", "https://example.com/a#comments", "https://example.com/a"),
    ("hashbang", "https://example.com/a#!/b", "https://example.com/a"),
    ("empty query", "https://example.com/a?", "https://example.com/a"),
    ("only separators in the query", "https://example.com/a?&&", "https://example.com/a"),
    ("order of parameters", "https://example.com/a?b=2&a=1", "https://example.com/a?a=1&b=2"),
    ("parameter without value", "https://example.com/a?b", "https://example.com/a?b="),
    ("campaign parameters", "https://example.com/a?utm_source=x&UTM_Medium=y&id=1", "https://example.com/a?id=1"),
    ("click identifiers", "https://example.com/a?fbclid=1&gclid=2&mc_cid=3", "https://example.com/a"),
    ("newsletter and analytics", "https://example.com/a?_hsenc=1&mkt_tok=2&_ga=3&pk_kwd=4", "https://example.com/a"),
    ("channel of a feed", "https://example.com/a?ref=rss", "https://example.com/a"),
    ("share button", "https://example.com/a?share=twitter", "https://example.com/a"),
    ("AMP variant", "https://example.com/a?amp=1", "https://example.com/a"),
    ("AMP output", "https://example.com/a?outputType=amp", "https://example.com/a"),
    ("session in the path", "https://example.com/a;jsessionid=0F?b=1", "https://example.com/a?b=1"),
    ("session parameter", "https://example.com/a?PHPSESSID=0f", "https://example.com/a"),
    ("percent-encoding", "https://example.com/%7euser/%e4", "https://example.com/~user/%E4"),
    ("unencoded letters", "https://example.com/ä?q=ö", "https://example.com/%C3%A4?q=%C3%B6"),
    ("blank in a parameter", "https://example.com/a?q=x%20y", "https://example.com/a?q=x+y"),
    ("dot segments", "https://example.com/x/../a", "https://example.com/a"),
    ("white space around", " \thttps://example.com/a\n", "https://example.com/a"),
    ("line break inside", "https://example.com/a\nb", "https://example.com/ab"),
    ("backslashes", "https:\\\\example.com\\a", "https://example.com/a"),
    ("international host", "https://münchen.de/a", "https://xn--mnchen-3ya.de/a"),
    ("percent-encoded host", "https://m%C3%BCnchen.de/a", "https://xn--mnchen-3ya.de/a"),
    ("sharp s of a host", "https://straße.de/a", "https://xn--strae-oqa.de/a"),
    ("capital sigma at the end of a host", "https://ΟΔΟΣ/a", "https://οδοσ/a"),
    ("full-width host", "https://ＥＸＡＭＰＬＥ。com/a", "https://example.com/a"),
    ("stray percent sign", "https://example.com/100%", "https://example.com/100%25"),
    ("stray percent sign before an encoded letter", "https://example.com/%%36%31", "https://example.com/%2561"),
    ("session under encoded letters", "https://example.com/a;%6Asessionid=0F", "https://example.com/a"),
    ("www", "https://www.example.co.uk/a", "https://example.co.uk/a"),
    ("mobile", "https://m.example.com/a", "https://www.example.com/a"),
    ("mobile in full", "https://mobile.example.com/a", "https://example.com/a"),
    ("mobile before www", "https://m.www.example.com/a", "https://example.com/a"),
    ("AMP host", "https://amp.example.com/a", "https://example.com/a"),
]

DIFFERENT = [
    ("paths", "https://example.com/a", "https://example.com/b"),
    ("case of the path", "https://example.com/A", "https://example.com/a"),
    ("closing slash", "https://example.com/a/", "https://example.com/a"),
    ("doubled slashes", "https://example.com/a//b", "https://example.com/a/b"),
    ("encoded slash", "https://example.com/a%2Fb", "https://example.com/a/b"),
    ("parameter", "https://example.com/?p=1", "https://example.com/?p=2"),
    ("ref that may name an article", "https://example.com/?ref=123", "https://example.com/"),
    ("a feed and its home page", "https://example.com/?feed=rss2", "https://example.com/"),
    ("subdomains", "https://sport.example.com/a", "https://example.com/a"),
    ("www of a subdomain", "https://www.sport.example.com/a", "https://www.example.com/a"),
    ("mobile of a subdomain", "https://m.sport.example.com/a", "https://sport.example.com/a"),
    ("blogs of one platform", "https://www.blogspot.com/a", "https://blogspot.com/a"),
    ("ports", "https://example.com:8443/a", "https://example.com/a"),
    ("sharp s of a host and ss", "https://straße.de/a", "https://strasse.de/a"),
    (
        "encoded percent sign and what it makes of the digits behind",
        "https://example.com/%2561",
        "https://example.com/a",
    ),
    ("AMP with another meaning", "https://example.com/a?amp=meter", "https://example.com/a"),
]

INVALID = [
    "",
    " ",
    "example.com/a",
    "/a",
    "//example.com/a",
    "ftp://example.com/a",
    "javascript:alert(1)",
    "mailto:a@example.com",
    "data:text/html,x",
    "http://",
    "http:///a",
    "http://[::1",
    "http://exa mple.com/",
    "http://a<b.com/",
    "http://%2541.com/",
    "http://example.com:99999/",
    "http://example.com:x/",
    "http://" + "a" * 300 + ".com/",
    "http://..../",
    "https://example.com/" + "a" * MAX_URL_CHARACTERS,
    "https://example.com/?utm_source=" + "a" * 40_000,
    "\x00",
]


@pytest.mark.parametrize(("one", "other"), [c[1:] for c in SAME], ids=[c[0] for c in SAME])
def test_spellings_of_one_page_share_a_key(one: str, other: str) -> None:
    assert url_key(one) == url_key(other)


@pytest.mark.parametrize(("one", "other"), [c[1:] for c in DIFFERENT], ids=[c[0] for c in DIFFERENT])
def test_what_may_be_another_page_has_another_key(one: str, other: str) -> None:
    assert url_key(one) != url_key(other)


@pytest.mark.parametrize("url", INVALID)
@pytest.mark.parametrize("function", [url_key, clean_url])
def test_what_is_no_http_address_is_refused_in_one_line(function: Callable[[str], str], url: str) -> None:
    with pytest.raises(InvalidUrl) as caught:
        function(url)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, NewscrawlError)
    assert "\n" not in str(caught.value)


def test_a_long_tracking_parameter_does_not_make_an_address_too_long() -> None:
    assert url_key("https://example.com/a?utm_source=" + "a" * 5_000) == "https://example.com/a"


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("http://www.Example.com/A?b=2&a=1&utm_source=x#top", "http://www.example.com/A?b=2&a=1"),
        ("https://example.com/a?ref=rss", "https://example.com/a"),
        ("https://example.com/a?amp=1", "https://example.com/a?amp=1"),
        ("https://m.example.com:443/a%2fb/?x", "https://m.example.com/a%2fb/?x"),
        ("http://u:p@example.com:8080/ä b", "http://example.com:8080/%C3%A4%20b"),
        ("https://example.com/?feed=rss2", "https://example.com/?feed=rss2"),
        ("http://[2001:db8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
        ("https://example.com/a\x00b\ud800", "https://example.com/a%00b%EF%BF%BD"),
    ],
)
def test_a_clean_address_differs_only_in_what_tracks(url: str, clean: str) -> None:
    assert clean_url(url) == clean


HOSTS = st.sampled_from(
    ["example.com", "www.example.co.uk", "m.example.org", "münchen.de", "www.straße.de", "[::1]", "10.0.0.1", "a.b.c"]
)
TRICKS = ["%", "%25", "36", "31", "61", "%2e", ".", "/", "\\", ";", ";%6Asessionid", "=1", "?", "&", "#", "a", "+", " "]
TRICKS += ["%75tm_", "source", "%3b", "%3D", "%00", "\t", "ß", "%C3", "%9f", "amp", "jsessionid", "ref=rss"]
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="#&"), max_size=8)
PAIRS = st.lists(st.tuples(NAMES, NAMES).map("=".join), max_size=6)
PATHS = st.text(st.characters(exclude_characters="?#"), max_size=30)


@settings(deadline=None)
@given(HOSTS, PATHS, PAIRS)
def test_a_key_is_its_own_key(host: str, path: str, pairs: list[str]) -> None:
    key = url_key(f"http://{host}/{path}?{'&'.join(pairs)}")
    assert url_key(key) == key
    assert key.isascii()
    assert key.isprintable()


@settings(deadline=None, max_examples=examples(300))
@given(HOSTS, st.lists(st.sampled_from(TRICKS), max_size=9).map("".join))
def test_encodings_inside_encodings_change_no_key(host: str, rest: str) -> None:
    url = f"http://{host}/{rest}"
    key, clean = url_key(url), clean_url(url)
    assert (url_key(key), clean_url(clean), url_key(clean)) == (key, clean, key)


@settings(deadline=None)
@given(HOSTS, PATHS, PAIRS)
def test_a_clean_address_is_its_own_clean_address_and_keeps_the_key(host: str, path: str, pairs: list[str]) -> None:
    url = f"https://{host}/{path}?{'&'.join(pairs)}"
    clean = clean_url(url)
    assert clean_url(clean) == clean
    assert url_key(clean) == url_key(url)


@settings(deadline=None)
@given(HOSTS, PAIRS, st.randoms())
def test_the_order_of_parameters_does_not_matter(host: str, pairs: list[str], random: Random) -> None:
    shuffled = random.sample(pairs, len(pairs))
    assert url_key(f"http://{host}/?{'&'.join(shuffled)}&z=") == url_key(f"http://{host}/?{'&'.join(pairs)}&z=")


@settings(deadline=None)
@given(st.one_of(st.text(), st.text().map("http://".__add__), st.text().map("http://example.com/".__add__)))
def test_any_string_has_a_key_or_is_invalid(url: str) -> None:
    try:
        key = url_key(url)
    except InvalidUrl:
        return
    assert url_key(key) == key


@pytest.mark.parametrize(
    ("url", "known"),
    [
        ("https://user@Straße.de:8080/ß?q=ß", "https://user@xn--strae-oqa.de:8080/ß?q=ß"),
        ("//straße.de/x", "//xn--strae-oqa.de/x"),
        ("https:\\\\straße.de\\x", "https://xn--strae-oqa.de/x"),
        ("/größe", "/größe"),
        ("//tp%C3%AE.example:8080/%C3%AE", "//xn--tp-rja.example:8080/%C3%AE"),
        ("/a?host=%C3%AE", "/a?host=%C3%AE"),
        ("https://Example.com/x", "https://Example.com/x"),
    ],
)
def test_only_the_host_is_written_as_it_is_looked_up(url: str, known: str) -> None:
    assert with_ascii_host(url) == known


def test_a_host_that_cannot_be_is_refused() -> None:
    with pytest.raises(InvalidUrl):
        with_ascii_host("https://ß＜.de/")
    with pytest.raises(InvalidUrl):
        with_ascii_host("https://a%2Fb.de/")


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://ann:pa@ss@host.example/x", "https://***@host.example/x"),
        ("asked https://ann@host.example/x, got 404", "asked https://***@host.example/x, got 404"),
        ("https://h.example/hook?token=abc&page=2", "https://h.example/hook?token=***&page=2"),
        ("https://h.example/?access_token=abc#id_token=def", "https://h.example/?access_token=***#id_token=***"),
        (
            "https://h.example/?X-Amz-Signature=0a&apiKey=1b;sid=2c",
            "https://h.example/?X-Amz-Signature=***&apiKey=***;sid=***",
        ),
        ("postgresql://host/news?user=ann&password=secret", "postgresql://host/news?user=ann&password=***"),
        (
            "https://h.example/story?keyword=ferry&passage=2&author=x",
            "https://h.example/story?keyword=ferry&passage=2&author=x",
        ),
        ("ann@host.example wrote", "ann@host.example wrote"),
        ("https://h.example/@ann/story", "https://h.example/@ann/story"),
        ("https://h.example/?token=", "https://h.example/?token="),
    ],
)
def test_secrets_of_addresses_are_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


@given(st.text(st.characters(categories=["L", "N"]), min_size=6, max_size=20), st.text(max_size=40))
def test_no_password_or_token_is_left(secret: str, around: str) -> None:
    secret = f"s3cret{secret}"
    text = f"{around} https://u:{secret}@h.example/p?token={secret}&x=1 {around}"
    assert secret not in masked(text)
    assert MASK in masked(text)


def test_a_user_is_taken_out_of_an_address() -> None:
    assert without_user("https://ann:p@host.example:8443/@x?q=a@b") == "https://host.example:8443/@x?q=a@b"
    assert without_user("https://host.example/@x") == "https://host.example/@x"


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://a.example/calendar/2026/11/30", "a.example/calendar/#/#/#"),
        ("https://a.example/calendar?month=11&year=2031", "a.example/calendar?month&year"),
        ("https://a.example/calendar?year=1&month=2&year=3", "a.example/calendar?month&year"),
        ("https://a.example/p;sid=0123456789abcdef0123/x", "a.example/p;sid=#/x"),
        ("https://a.example/face/0123456789abcde", "a.example/face/#abcde"),
        ("https://A.example:8080", "a.example/"),
        ("https://a.example/story-about-trains", "a.example/story-about-trains"),
        ("http://[broken/", ""),
    ],
    ids=[
        "dates",
        "parameters",
        "parameters-twice",
        "session-id",
        "short-code",
        "host-alone",
        "no-number",
        "no-address",
    ],
)
def test_numbers_and_codes_become_one_sign_and_parameters_their_names(url: str, pattern: str) -> None:
    assert pattern_of(url) == pattern


def test_a_long_pattern_is_cut_and_stays_its_own() -> None:
    long = "https://a.example/" + "x" * 3_000
    assert len(pattern_of(long)) <= MAX_LENGTH
    assert pattern_of(long) != pattern_of(long + "y")


@pytest.mark.parametrize(
    ("path", "repeats"),
    [
        ("/news/news/news/story", True),
        ("/a/b/b/b", True),
        ("/news/news/story", False),
        ("/news/a/news/a/news", False),
        ("/1/1/1/story", False),
        ("/a///b", False),
    ],
    ids=["at-the-start", "at-the-end", "only-two", "not-in-a-row", "numbers", "empty-segments"],
)
def test_three_equal_segments_that_are_no_numbers_repeat(path: str, *, repeats: bool) -> None:
    assert repeats_itself(f"https://a.example{path}") is repeats


def test_a_directory_is_the_pattern_of_all_addresses_beside_one() -> None:
    assert directory_of("https://a.example/shop/lamp-3?c=1") == "a.example/shop/##"
    assert directory_of("https://a.example/2026/11/lamp/") == "a.example/#/#/##"
    assert directory_of("https://a.example/lamp") == directory_of("https://a.example/") == "a.example/##"
    assert directory_of("https://[broken/") == ""
    assert len(directory_of("https://a.example/" + "long/" * 300 + "x")) <= MAX_LENGTH
