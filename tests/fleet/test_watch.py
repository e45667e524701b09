"""The watchdog receives the results of `newscrawl run` and `scrapy crawl`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fleet_process import FleetProcess
from patience import PATIENCE

from newscrawl.monitoring.extraction import ExtractionBaseline
from newscrawl.monitoring.volume import VolumeBaseline
from newscrawl.storage.monitoring import alarms, samples, site_models
from newscrawl.storage.store import open_store


@pytest.mark.parametrize("words", [("newscrawl.cli", "run", "--once"), ("scrapy", "crawl", "SITE")], ids=" ".join)
def test_a_crawl_leaves_what_is_usual_and_nothing_waits(
    make_fleet: Callable[..., FleetProcess], database: str, words: tuple[str, ...]
) -> None:
    fleet = make_fleet(sites=1, world={"mean_gap": 1e9, "pleas": 0.0}, NEWSCRAWL_TIME_SCALE=1)
    site = "site0"
    done = fleet.command(*(site if word == "SITE" else word for word in words))
    assert done.returncode == 0, done.stderr
    with open_store(database, upgrade=False) as store:
        volumes = store.run(site_models.load, VolumeBaseline, [site]).result(timeout=PATIENCE)
        extractions = store.run(site_models.load, ExtractionBaseline, [site]).result(timeout=PATIENCE)
        assert store.run(samples.take, 100).result(timeout=PATIENCE).number == 0
        assert store.run(alarms.open_alarms).result(timeout=PATIENCE) == []
    assert volumes.by_site[site].since is not None
    assert len(extractions.by_site[site].latest) >= 3
