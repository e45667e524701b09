"""The error about a setting that cannot be used names its value and the possible ones."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from newscrawl.config import names, scrapy_defaults
from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.derived.article_options import DEFAULT_CHAINS
from newscrawl.config.names import warn_of_unknown
from newscrawl.crawling.runtime.setting_checks import check_settings
from newscrawl.errors import ConfigurationError
from newscrawl.extraction.chain import resolve
from settings import base


def project() -> Settings:
    settings = Settings()
    settings.setmodule(base, priority="project")
    return settings


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("NEWSCRAWL_BATCH_SIZE", 0, "whole number from 1"),
        ("NEWSCRAWL_BATCH_SIZE", "2.5", "whole number from 1"),
        ("NEWSCRAWL_BATCH_SECONDS", "0", "number above 0"),
        ("NEWSCRAWL_EXTRACT_WORKERS", "two", "whole number from 0"),
        ("NEWSCRAWL_EXTRACT_TIMEOUT", float("nan"), "number above 0"),
        ("NEWSCRAWL_EXTRACT_MEMORY_MB", 10, "whole number from 512 to 10,000,000"),
        ("NEWSCRAWL_MIN_WORDS", "-1", "whole number from 0"),
        ("NEWSCRAWL_MAX_HOST_WAIT", float("inf"), "number from 0"),
        ("NEWSCRAWL_PROGRESS", "perhaps", "yes or no"),
        ("NEWSCRAWL_DATABASE_URL", "", "a name or an address"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(name: str, value: Any, allowed: str) -> None:
    settings = project()
    settings.set(name, value, priority="cmdline")
    with pytest.raises(ConfigurationError) as raised:
        check_settings(settings, {})
    assert str(raised.value).startswith(f"setting {name}: {value!r} cannot be used")
    assert allowed in str(raised.value)


def test_the_settings_that_come_with_the_project_are_let_pass() -> None:
    check_settings(project(), {})
    outside = Settings()
    outside.setmodule(scrapy_defaults)
    check_settings(outside, {})
    assert {one.name for one in CATALOGUE.values() if project().get(one.stored_as or one.name) is None} == set()


def test_no_variable_of_another_program_ends_a_command() -> None:
    kubernetes = {"NEWSCRAWL_PORT": "tcp://10.0.0.1:80", "NEWSCRAWL_SERVICE_HOST": "10.0.0.1"}
    check_settings(project(), {"NEWSCRAWL_DELAY": "3", "NEWSCRAWL_MIN_WORD": "3", "HOME": "/", **kubernetes})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NEWSCRAWL_MIN_WORD", "setting NEWSCRAWL_MIN_WORD: there is no setting of this name: is NEWSCRAWL_MIN_WORDS"),
        ("NEWSCRAWL_COLOUR", "setting NEWSCRAWL_COLOUR: there is no setting of this name"),
    ],
)
def test_an_unknown_name_in_a_settings_module_is_an_error(name: str, words: str) -> None:
    settings = project()
    settings.set(name, 3, priority="project")
    with pytest.raises(ConfigurationError, match=words):
        check_settings(settings, {})


def test_the_list_of_names_is_that_of_the_settings_modules() -> None:
    written = {str(name) for name in project() if str(name).startswith("NEWSCRAWL_")}
    assert written | {"NEWSCRAWL_DELAY"} == names.SETTINGS


def test_what_an_operator_wrote_is_what_is_named() -> None:
    settings = project()
    settings.set("DOWNLOAD_DELAY", -3.0, priority="project")
    with pytest.raises(ConfigurationError, match=r"setting NEWSCRAWL_DELAY: -3\.0 cannot be used"):
        check_settings(settings, {"NEWSCRAWL_DELAY": "-3"})
    with pytest.raises(ConfigurationError, match="setting DOWNLOAD_DELAY"):
        check_settings(settings, {})
    settings.set("DOWNLOAD_DELAY", -2.0, priority="cmdline")
    with pytest.raises(ConfigurationError, match="setting DOWNLOAD_DELAY"):
        check_settings(settings, {"NEWSCRAWL_DELAY": "1"})


def test_a_database_that_cannot_be_read_is_named_with_its_setting() -> None:
    settings = project()
    settings.set("NEWSCRAWL_DATABASE_URL", "foo", priority="cmdline")
    with pytest.raises(ConfigurationError, match=r"setting NEWSCRAWL_DATABASE_URL: .* write sqlite:///FILE"):
        check_settings(settings, {})


def test_variables_that_do_nothing_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    warn_of_unknown({"NEWSCRAWL_DELAY": "3", "NEWSCRAWL_CORPORA": "/", "HOME": "/"})
    assert capsys.readouterr().err == ""
    warn_of_unknown({"NEWSCRAWL_PORT": "tcp://10.0.0.1:80", "NEWSCRAWL_CHIAN": "best"})
    told = "newscrawl: NEWSCRAWL_CHIAN (is NEWSCRAWL_CHAIN meant?), NEWSCRAWL_PORT in the environment are no settings"
    assert capsys.readouterr().err == f"{told} and without effect\n"


def test_the_chains_that_are_not_looked_at_in_the_settings_are_always_there() -> None:
    for name in DEFAULT_CHAINS:
        resolve(name, {})
