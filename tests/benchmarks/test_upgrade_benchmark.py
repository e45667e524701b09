"""The benchmark of the upgrade fills tables as they were and measures today's migrations."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from benchmarks.storage import upgrade
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def empty(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'news.db'}"
    return request.getfixturevalue("empty_postgresql")


def test_a_filled_database_is_upgraded_and_measured(empty: str) -> None:
    rows = upgrade.fill(empty, 20)
    assert migrations.current_revision(empty) == upgrade.FROM
    found = upgrade.measure(empty, 20, rows)
    assert migrations.current_revision(empty) == migrations.head()
    assert (found.articles, found.rows) == (20, 1 + 500 + 20 * (9 + upgrade.BANDS) + 7)
    assert 0 < found.before_mb < found.peak_mb
    engine = make_engine(parse_url(empty), pooled=False)
    with engine.connect() as connection:
        (waiting,) = connection.execute(sa.text("SELECT count(*) FROM pending_texts")).one()
        (members,) = connection.execute(sa.text("SELECT count(*) FROM cluster_members")).one()
    engine.dispose()
    assert (waiting, members) == (20, 7)
