"""The name of a database in messages."""

from __future__ import annotations

import pytest

from newscrawl.storage.engine.database import one_line, parse_url, shown


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("postgresql://ann:secret@host:5433/news", "postgresql://***@host:5433/news"),
        ("postgresql://host/news?user=ann&password=secret&sslmode=require", "postgresql://host/news"),
        ("sqlite:///a/news.db", "a/news.db"),
    ],
)
def test_a_database_is_named_without_user_and_password(address: str, name: str) -> None:
    assert shown(parse_url(address)) == name


def test_what_a_driver_says_holds_no_password() -> None:
    url = parse_url("postgresql://ann:other@host/news?password=secret")
    told = one_line(ValueError('connection failed: "password=secret" other\nuser ann'), url)
    assert "secret" not in told
    assert "other" not in told
