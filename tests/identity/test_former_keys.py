"""The URL keys of addresses under former rules."""

from __future__ import annotations

import pytest

from newscrawl.identity import url_key
from newscrawl.identity.former_keys import former_key, keys_ever


@pytest.mark.parametrize(
    ("url", "former"),
    [
        ("https://example.com/%%36%31", "https://example.com/%61"),
        ("https://www.example.com/100%?a=%", "https://example.com/100%?a=%25"),
        ("https://example.com/a;%6Asessionid=1/b", "https://example.com/a;jsessionid=1/b"),
        ("https://example.com/%41", None),
        ("https://example.com/a", None),
        ("https://straße.de/a", None),
    ],
)
def test_an_address_had_another_key_where_a_percent_sign_encodes_nothing(url: str, former: str | None) -> None:
    assert former_key(url) == former


@pytest.mark.parametrize("url", ["https://straße.de/50%", "https://xn--strae-oqa.de/50%"])
def test_every_key_that_an_address_may_have_had_is_known(url: str) -> None:
    assert keys_ever(url) == {
        "https://xn--strae-oqa.de/50%25",
        "https://xn--strae-oqa.de/50%",
        "https://strasse.de/50%",
    }


@pytest.mark.parametrize(
    "url", ["https://example.com/a", "https://xn--mnchen-3ya.de/a", "https://xn--zzzz.com/a", "https://xn--.com/%41"]
)
def test_most_addresses_had_one_key_at_all_times(url: str) -> None:
    assert keys_ever(url) == {url_key(url)}
