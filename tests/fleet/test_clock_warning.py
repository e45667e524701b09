"""`newscrawl run` says at its start that this machine's clock differs from that of the database's server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawl.crawling.fleet import opening
from newscrawl.storage import open_store


@pytest.mark.parametrize(("off", "warns"), [(-4, False), (0, False), (4, False), (6, True), (-120, True)])
def test_a_clock_that_is_more_than_five_minutes_off_gives_a_warning(
    off: int, warns: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = datetime.now(UTC) + timedelta(minutes=off)
    monkeypatch.setattr(opening, "time_of", lambda connection: stated)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        warning = opening.clock_warning(store)
    assert (warning is not None) is warns
    assert warning is None or f"{stated:%Y-%m-%d %H:%M:%S}" in warning
