"""Settings: each is declared once, and the reference agrees with the declarations."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from scrapy.settings import Settings

from newscrawl.config.catalogue import CATALOGUE, GROUPS, PER_SITE, Config
from newscrawl.config.environment import catalogue_settings, setting
from newscrawl.config.reading import config_of
from newscrawl.config.reference import markdown, meanings
from newscrawl.crawling.downloader.throttle import policy_of
from newscrawl.crawling.fleet.fleet import fleet_policy
from newscrawl.crawling.scheduling import site_state, sources
from newscrawl.crawling.scheduling.host import HostPolicy
from newscrawl.crawling.scheduling.site_selection import FleetPolicy
from newscrawl.errors import ConfigurationError
from newscrawl.extraction.limits import Limits


def of(values: dict[str, Any]) -> Config:
    return config_of(Settings(values), {})


def test_each_setting_is_declared_once() -> None:
    names = [one.name for _, _, declared in GROUPS for one in declared.values()]
    assert len(names) == len(set(names)) == len(CATALOGUE)
    assert all(name.startswith("NEWSCRAWL_") for name in names)
    assert not any(one.instead for one in CATALOGUE.values() if one.name in PER_SITE)


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_each_default_may_stand_in_its_setting(name: str) -> None:
    declared = CATALOGUE[name]
    if not declared.default_text:
        assert declared.read(declared.plain_default) == declared.default


def test_what_is_not_set_has_the_declared_default() -> None:
    assert of({"DOWNLOAD_DELAY": 1.0}) == Config()
    for group, kind, _ in GROUPS:
        assert getattr(Config(), group) == kind()


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        ("NEWSCRAWL_BATCH_SIZE", "7", 7),
        ("NEWSCRAWL_BATCH_SIZE", "7.0", 7),
        ("NEWSCRAWL_BATCH_SIZE", 7, 7),
        ("NEWSCRAWL_BATCH_SECONDS", "1", 1.0),
        ("NEWSCRAWL_REVIEW", "no", False),
        ("NEWSCRAWL_REVIEW", "False", False),
        ("NEWSCRAWL_REVIEW", 0, False),
        ("NEWSCRAWL_REVIEW", True, True),
        ("NEWSCRAWL_CHAIN", " best ", "best"),
        ("NEWSCRAWL_REVIEW_CHAINS", "best, danag", ("best", "danag")),
        ("NEWSCRAWL_REVIEW_CHAINS", '["best"]', ("best",)),
        ("NEWSCRAWL_REVIEW_CHAINS", ["best"], ("best",)),
        ("NEWSCRAWL_REVIEW_CHAINS", "", ()),
        ("NEWSCRAWL_ALLOWED_PORTS", [8080], ("8080",)),
        ("NEWSCRAWL_CHAINS", '{"mine": ["justext"]}', {"mine": ["justext"]}),
        ("NEWSCRAWL_CHAINS", {"mine": ["justext"]}, {"mine": ["justext"]}),
    ],
)
def test_a_value_means_the_same_as_text_and_as_python(name: str, written: Any, value: Any) -> None:
    for priority in ("project", "spider", "cmdline"):
        settings = Settings()
        settings.set(name, written, priority=priority)
        config = config_of(settings, {})
        read = {
            one.name: getattr(getattr(config, group), attribute)
            for group, _, declared in GROUPS
            for attribute, one in declared.items()
        }
        assert read[name] == value
        assert type(read[name]) is type(value)


@pytest.mark.parametrize(
    ("name", "written", "allowed"),
    [
        ("NEWSCRAWL_REVIEW_CHAINS", 5, "a list, or a text with commas between"),
        ("NEWSCRAWL_REVIEW_CHAINS", "[1", "a list"),
        ("NEWSCRAWL_CHAINS", "mine", "an object, or its JSON"),
        ("NEWSCRAWL_CHAINS", ["mine"], "an object"),
        ("NEWSCRAWL_CHAINS", range(3), "an object"),
        ("NEWSCRAWL_CHAINS", {1: ["justext"]}, "an object"),
        ("NEWSCRAWL_SITE_SCHEDULES", "[" * 100_000, "an object"),
        ("NEWSCRAWL_REVIEW", 2, "yes or no"),
        ("NEWSCRAWL_BATCH_SIZE", True, "a whole number from 1 to 10,000"),
        ("NEWSCRAWL_BATCH_SIZE", "2.5", "a whole number from 1 to 10,000"),
        ("NEWSCRAWL_EXTRACT_TIMEOUT", float("nan"), "a number above 0"),
        ("NEWSCRAWL_MAX_HOST_WAIT", float("inf"), "a number from 0"),
        ("NEWSCRAWL_MAX_HOST_WAIT", "-1", "a number from 0 to 2,592,000"),
        ("NEWSCRAWL_TIME_SCALE", 0, "a number above 0 to 10,000"),
        ("NEWSCRAWL_ARCHIVE_URL", 5, "a folder, s3://BUCKET/PREFIX, auto or off"),
        ("NEWSCRAWL_CHAIN", " ", "a name or an address"),
        ("NEWSCRAWL_ALERT_WEBHOOK", 5, "a text"),
    ],
)
def test_a_value_that_cannot_be_used_is_one_line_with_what_can(name: str, written: Any, allowed: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        of({name: written})
    assert str(raised.value).startswith(f"setting {name}: {written!r} cannot be used: give {allowed}")


def test_the_environment_gives_typed_values_and_the_rest_has_its_default() -> None:
    read = catalogue_settings({"NEWSCRAWL_BATCH_SIZE": "7", "NEWSCRAWL_ALLOWED_PORTS": "8080,8081"})
    assert (read["NEWSCRAWL_BATCH_SIZE"], read["NEWSCRAWL_ALLOWED_PORTS"]) == (7, ["8080", "8081"])
    assert read["NEWSCRAWL_BATCH_SECONDS"] == Config().storage.batch_seconds
    assert CATALOGUE.keys() - read.keys() == {"NEWSCRAWL_DATABASE_URL", "NEWSCRAWL_DELAY"}
    assert config_of(Settings({**read, "DOWNLOAD_DELAY": 1.0}), {}).workers == Config().workers


def test_a_settings_module_may_give_another_default() -> None:
    assert setting("NEWSCRAWL_BATCH_SIZE", 100, {}) == 100
    assert setting("NEWSCRAWL_BATCH_SIZE", 100, {"NEWSCRAWL_BATCH_SIZE": "7"}) == 7
    assert setting("NEWSCRAWL_BATCH_SIZE", environment={}) == Config().storage.batch_size
    with pytest.raises(ConfigurationError, match=r"NEWSCRAWL_BATCH_SIZ: there is no setting .* NEWSCRAWL_BATCH_SIZE"):
        setting("NEWSCRAWL_BATCH_SIZ", environment={})


def test_the_defaults_of_the_rooms_below_are_those_of_the_settings() -> None:
    config = Config()
    assert Limits() == Limits(config.extraction.min_words, config.extraction.min_characters)
    assert policy_of(config) == HostPolicy()
    assert config.scheduling.daily_new_pages == site_state.MIN_BOUND
    assert (
        sources.SourcePolicy(
            patience=config.scheduling.article_hours_per_source_visit,
            shortest=timedelta(seconds=config.scheduling.min_source_interval),
        )
        == sources.DEFAULT
    )
    assert fleet_policy(config) == FleetPolicy()


def test_the_catalogue_loads_neither_scrapy_nor_anything_heavy() -> None:
    script = (
        "import sys, newscrawl.config.catalogue, newscrawl.config.names, newscrawl.config.reading, "
        "newscrawl.config.reference; heavy = {'scrapy', 'twisted', 'lxml', 'sqlalchemy', 'numpy', 'asyncio', 'click'};"
        "sys.exit(', '.join(heavy & sys.modules.keys()) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")


PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "settings.md"


def test_the_page_is_the_generated_one() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == markdown(), "write it again: make reference"


def test_the_page_names_every_setting_with_its_default_range_and_meaning() -> None:
    page = markdown()
    for _, group, settings in GROUPS:
        told = meanings(group)
        for attribute, one in settings.items():
            assert told[attribute].endswith(".")
            (line,) = [line for line in page.splitlines() if line.startswith(f"| `{one.name}` |")]
            assert line.endswith(f" | {told[attribute]} |")
    assert "| `NEWSCRAWL_MAX_HOST_WAIT` | number, seconds; default 3600; from 0 to 2,592,000; per site | " in page
    assert "| `NEWSCRAWL_DELAY` | number, seconds; default 1; from 0 to 86,400; for a site: declare `delay` | " in page
