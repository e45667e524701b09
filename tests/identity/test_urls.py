"""Which addresses lead to one page, and how an address is normalized."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.errors import InvalidUrl, NewscrawlError
from newscrawl.model.identity import clean_url, url_key
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
