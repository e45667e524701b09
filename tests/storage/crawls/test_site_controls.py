"""The decisions of operators about sites."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from newscrawl.scheduling.site_control import SiteControl
from newscrawl.storage import Store
from newscrawl.storage.crawls import site_controls
from newscrawl.storage.removal import forget

HOUR = timedelta(hours=1)


@pytest.fixture
def call(store: Store) -> Callable[..., Any]:
    return lambda operation, *args, **kwargs: store.run(operation, *args, **kwargs).result()


def test_a_pause_lasts_until_its_end_or_until_it_is_resumed(call, now):
    call(site_controls.pause, "harbour", now + HOUR, now)
    control = call(site_controls.load_site, "harbour")
    assert [control.is_paused(now), control.is_paused(now + HOUR)] == [True, False]
    call(site_controls.pause, "harbour", None, now)
    assert call(site_controls.load_site, "harbour").is_paused(now + timedelta(days=999))
    assert call(site_controls.resume, "harbour", now) is True
    assert call(site_controls.resume, "harbour", now) is False
    assert call(site_controls.load) == {}


def test_each_decision_stays_apart_from_the_others(call, now):
    call(site_controls.set_priority, "harbour", 4.0, now)
    call(site_controls.set_daily_requests, "harbour", "500", now)
    call(site_controls.pause, "harbour", None, now)
    call(site_controls.resume, "harbour", now)
    call(site_controls.set_priority, "other", 0.25, now)
    both = call(site_controls.load)
    assert both["harbour"] == SiteControl("harbour", priority=4.0, daily_requests="500")
    assert both["other"] == SiteControl("other", priority=0.25)
    call(site_controls.set_priority, "harbour", None, now)
    call(site_controls.set_daily_requests, "harbour", None, now)
    assert list(call(site_controls.load)) == ["other"]


def test_a_forgotten_site_has_no_controls(call, now):
    call(site_controls.set_priority, "harbour", 4.0, now)
    call(forget.forget_site, "harbour", now)
    assert call(site_controls.load) == {}
