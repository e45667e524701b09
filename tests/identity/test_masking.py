"""Messages mask users, passwords and tokens of addresses, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.model.identity.masking import MASK, masked, without_user


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
