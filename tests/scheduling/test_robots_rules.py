"""What an answer to /robots.txt means, by RFC 9309."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.crawling.scheduling.robots import (
    FIRST_RETRY,
    FRESH_FOR,
    KEEP_GOOD,
    MAX_ROBOTS_BYTES,
    authority_of,
    cut,
    decode,
    read_answer,
    read_failure,
    restored,
)

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
BODY = b"User-agent: *\nDisallow: /private\nCrawl-delay: 7\nSitemap: https://a.example/s.xml\n"
HALF_A_MARK = b"\xef\xbb"
PRIVATE = "https://a.example/private/page"


def test_rules_are_read_from_any_good_answer() -> None:
    robots = read_answer(200, BODY, NOW)
    assert not robots.allows(PRIVATE, "newscrawl")
    assert robots.allows("https://a.example/news", "newscrawl")
    assert robots.crawl_delay("newscrawl") == 7.0


def test_robots_txt_itself_may_always_be_read() -> None:
    robots = read_answer(200, b"User-agent: *\nDisallow: /\n", NOW)
    assert robots.allows("https://a.example/robots.txt", "newscrawl")
    assert not robots.allows("https://a.example/robots.txt2", "newscrawl")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_a_client_error_allows_everything_whatever_its_body_says(status: int) -> None:
    robots = read_answer(status, BODY, NOW)
    assert robots.allows(PRIVATE, "newscrawl")
    assert robots.crawl_delay("newscrawl") is None


@pytest.mark.parametrize("status", [429, 500, 502, 503, 599, 301, 304, 199, 0])
def test_all_others_allow_nothing(status: int) -> None:
    robots = read_answer(status, b"User-agent: *\nAllow: /\n", NOW)
    assert not robots.allows("https://a.example/", "newscrawl")


def test_good_news_is_good_for_a_day_and_no_longer() -> None:
    for robots in (read_answer(200, BODY, NOW), read_answer(404, b"", NOW)):
        assert robots.fresh(NOW + FRESH_FOR - timedelta(seconds=1))
        assert not robots.fresh(NOW + FRESH_FOR)
    assert timedelta(hours=24) >= FRESH_FOR


def test_bad_news_is_asked_again_soon_and_then_ever_later() -> None:
    robots = read_failure("no answer", NOW)
    pauses = [robots.expires_at - NOW]
    for _ in range(20):
        robots = read_failure("no answer", NOW, robots)
        pauses.append(robots.expires_at - NOW)
    assert pauses[:3] == [FIRST_RETRY, 2 * FIRST_RETRY, 4 * FIRST_RETRY]
    assert pauses[-1] == FRESH_FOR
    assert robots.reason == "no answer"


def test_rules_hold_on_while_they_cannot_be_read_anew_but_not_for_ever() -> None:
    good = read_answer(200, BODY, NOW)
    failed = read_answer(503, b"", NOW + FRESH_FOR, good)
    assert not failed.allows(PRIVATE, "newscrawl")
    assert failed.allows("https://a.example/public", "newscrawl")
    assert failed.expires_at == NOW + FRESH_FOR + FIRST_RETRY
    assert failed.reason == "answered 503"
    again = read_failure("no answer", NOW + KEEP_GOOD - timedelta(hours=1), failed)
    assert again.failures == 2
    assert again.allows("https://a.example/public", "newscrawl")
    late = read_failure("no answer", NOW + KEEP_GOOD, again)
    assert not late.allows("https://a.example/public", "newscrawl")
    assert read_answer(200, b"", NOW + KEEP_GOOD, late).failures == 0


def test_that_there_were_no_rules_holds_on_as_rules_do() -> None:
    good = read_answer(404, b"", NOW)
    failed = read_answer(503, b"", NOW + FRESH_FOR, good)
    assert failed.allows(PRIVATE, "newscrawl")
    assert failed.expires_at == NOW + FRESH_FOR + FIRST_RETRY
    assert (failed.status, failed.reason, failed.failures) == (503, "answered 503", 1)
    again = read_failure("no answer", NOW + KEEP_GOOD - timedelta(hours=1), failed)
    assert again.allows(PRIVATE, "newscrawl")
    assert not read_failure("no answer", NOW + KEEP_GOOD, again).allows(PRIVATE, "newscrawl")
    assert not read_answer(503, b"", NOW).allows(PRIVATE, "newscrawl")


def test_rules_that_were_taken_away_do_not_come_back_with_a_failure() -> None:
    gone = read_answer(404, b"", NOW + FRESH_FOR, read_answer(200, BODY, NOW))
    assert read_failure("no answer", NOW + 2 * FRESH_FOR, gone).allows(PRIVATE, "newscrawl")


def test_a_good_answer_ends_the_bad_news() -> None:
    assert read_answer(200, BODY, NOW, read_failure("no answer", NOW)).failures == 0


def test_what_a_clock_set_back_makes_of_the_future_does_not_count() -> None:
    assert not read_answer(200, BODY, NOW + timedelta(days=2)).fresh(NOW)


def test_what_was_stored_is_the_same_when_read_back() -> None:
    robots = read_answer(200, BODY, NOW)
    stored = type(robots)(robots.reading, robots.status, NOW, NOW + timedelta(days=99), robots.body)
    assert not restored(stored).allows(PRIVATE, "newscrawl")
    assert restored(stored).expires_at == NOW + FRESH_FOR
    assert restored(read_answer(404, b"", NOW)) == read_answer(404, b"", NOW)


def test_a_long_file_is_cut_before_the_line_that_the_limit_goes_through() -> None:
    line = b"Disallow: /some/path/that/is/long/enough/to/be/cut\n"
    body = b"User-agent: *\n" + line * (MAX_ROBOTS_BYTES // len(line) + 10)
    kept = cut(body)
    assert len(kept) <= MAX_ROBOTS_BYTES
    assert len(kept) > MAX_ROBOTS_BYTES - len(line)
    assert kept.endswith(line)
    assert cut(b"x" * (MAX_ROBOTS_BYTES + 1)) == b""
    assert cut(BODY) == BODY


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + BODY,
        b"\xef\xbb" + BODY,
        BODY.decode().encode("utf-16"),
        b"\0" + BODY,
        BODY.replace(b"\n", b"\r\n"),
    ],
)
def test_rules_survive_byte_order_marks_other_unicode_and_zero_bytes(body: bytes) -> None:
    assert not read_answer(200, body, NOW).allows(PRIVATE, "newscrawl")


@given(body=st.binary(max_size=300))
def test_no_bytes_can_raise(body: bytes) -> None:
    decode(body)
    robots = read_answer(200, body, NOW)
    robots.allows(PRIVATE, "newscrawl")
    robots.crawl_delay("newscrawl")


def test_reading_takes_time_in_proportion_to_length(doubling) -> None:  # type: ignore[no-untyped-def]
    doubling(
        lambda body: read_answer(200, body, NOW).allows("https://a.example/" + "a" * 200, "newscrawl"),
        lambda n: b"User-agent: *\n" + b"".join(b"Disallow: /*a%d*b*c$\n" % i for i in range(n)),
        1000,
    )


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("https://a.example/x?y#z", "https://a.example"),
        ("https://a.example:443/", "https://a.example"),
        ("http://a.example:443/", "http://a.example:443"),
        ("http://u:p@A.example:8080/", "http://a.example:8080"),
        ("http://[::1]:80/", "http://[::1]"),
    ],
)
def test_rules_belong_to_a_scheme_a_host_and_a_port(url: str, authority: str) -> None:
    assert authority_of(url) == authority


@pytest.mark.parametrize("url", ["", "nothing", "http://", "mailto:a@b.example", "http://a.example:port/"])
def test_an_address_without_a_host_has_no_rules(url: str) -> None:
    with pytest.raises(ValueError, match=r"host|[Pp]ort"):
        authority_of(url)
