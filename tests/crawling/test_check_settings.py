"""Every setting of ours that cannot work is named with its value and with what may stand there."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from newscrawl.crawling import defaults
from newscrawl.crawling.check_settings import NUMBERS, check_settings, tell_unknown
from newscrawl.errors import ConfigurationError
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
        ("NEWSCRAWL_LONGEST_WAIT", float("inf"), "number from 0"),
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
    outside.setmodule(defaults)
    check_settings(outside, {})
    assert {name for name in NUMBERS if project().get(name) is None} == set()


def test_a_variable_that_is_nearly_a_setting_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError, match="no setting of this name: is NEWSCRAWL_MIN_WORDS meant"):
        check_settings(project(), {"NEWSCRAWL_MIN_WORD": "3"})
    check_settings(project(), {"NEWSCRAWL_DELAY": "3", "NEWSCRAWL_OF_ANOTHER_PROGRAM": "3", "HOME": "/"})


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
    tell_unknown(project(), {"NEWSCRAWL_DELAY": "3", "NEWSCRAWL_CORPORA": "/", "HOME": "/"})
    assert capsys.readouterr().err == ""
    tell_unknown(project(), {"NEWSCRAWL_SERVICE_HOST": "10.0.0.1", "NEWSCRAWL_FOO": ""})
    told = "newscrawl: NEWSCRAWL_FOO, NEWSCRAWL_SERVICE_HOST in the environment are no settings and without effect\n"
    assert capsys.readouterr().err == told
