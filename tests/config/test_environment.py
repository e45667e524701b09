"""Settings from the environment, and the choice of the project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import warm
from patience import PATIENCE

from newscrawl.config.environment import check_project, setting
from newscrawl.config.user_agent import user_agent
from newscrawl.errors import ConfigurationError, ProjectError

PROJECT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize(
    ("default", "text", "expected"),
    [
        ("a", "", ""),
        ("a", " sqlite:///x.db ", "sqlite:///x.db"),
        (1, "42", 42),
        (1.5, "2", 2.0),
        (True, "no", False),
        (False, "TRUE", True),
        ([], "127.0.0.0/8, ::1", ["127.0.0.0/8", "::1"]),
        ([], '["8080", 8081]', ["8080", "8081"]),
        (["a"], "", []),
        ({}, '{"mine": ["justext"]}', {"mine": ["justext"]}),
    ],
)
def test_a_variable_is_read_as_the_type_of_the_default(default: Any, text: str, expected: Any) -> None:
    assert setting("NEWSCRAWL_X", default, {"NEWSCRAWL_X": text}) == expected


@pytest.mark.parametrize("default", ["a", 1, 1.5, True, ["x"], {"a": 1}])
def test_without_a_variable_the_default_stands(default: Any) -> None:
    assert setting("NEWSCRAWL_X", default, {}) == default


@pytest.mark.parametrize(
    ("default", "text"),
    [(1, "many"), (1, "1.5"), (1.0, "nan"), (1.0, "inf"), (True, "perhaps"), ({}, "[]"), ({}, "{"), ([], "[1")],
)
def test_a_value_of_another_type_is_refused_by_name(default: Any, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"setting NEWSCRAWL_X: .*" + "no "):
        setting("NEWSCRAWL_X", default, {"NEWSCRAWL_X": text})


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("NEWSCRAWL_BATCH_SIZE", "many", "a whole number from 1 to 10,000"),
        ("NEWSCRAWL_REVIEW", "perhaps", "yes or no"),
        ("NEWSCRAWL_RETENTION", "[1]", "an object, or its JSON"),
    ],
)
def test_the_message_says_what_may_stand_in_the_setting(name: str, text: str, allowed: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        setting(name, environment={name: text})
    told = f"setting {name}: the environment variable says {text!r}, which is no usable value: give {allowed}"
    assert str(raised.value) == told


def test_this_project_is_this_project() -> None:
    check_project(PROJECT)


def test_packages_of_another_place_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProjectError, match="comes from"):
        check_project(tmp_path)


@pytest.mark.parametrize("contact", ["https://example.org/bot", "mailto:news@example.org", ""])
def test_the_user_agent_names_the_project_and_the_contact(contact: str) -> None:
    agent = user_agent(contact)
    assert agent.startswith("newscrawl/")
    assert contact in agent


@pytest.mark.parametrize("contact", ["a\r\nX-Injected: 1", "a)b", "käse", "\t"])
def test_a_contact_that_breaks_a_header_is_refused(contact: str) -> None:
    with pytest.raises(ConfigurationError, match="NEWSCRAWL_CONTACT"):
        user_agent(contact)


def settings_of(module: str, **environment: str) -> subprocess.CompletedProcess[str]:
    script = (
        f"import json, {module} as m; print(json.dumps({{k: v for k, v in vars(m).items() "
        f"if k.isupper() and isinstance(v, (str, int, float, list, dict))}}))"
    )
    bare = {name: value for name, value in os.environ.items() if not name.startswith("NEWSCRAWL_")}
    return warm.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        env=bare | environment,
        timeout=PATIENCE,
        check=False,
    )


def test_the_base_settings_are_safe_and_polite() -> None:
    read = json.loads(settings_of("settings.base").stdout)
    assert read["CONCURRENT_REQUESTS_PER_DOMAIN"] == 1
    assert read["DOWNLOAD_DELAY"] >= 1
    assert read["DOWNLOAD_TIMEOUT"] <= 30
    assert read["DOWNLOAD_MAXSIZE"] <= 10 * 1024 * 1024
    assert read["DOWNLOAD_VERIFY_CERTIFICATES"]
    assert read["NEWSCRAWL_ALLOWED_ADDRESSES"] == []
    assert read["NEWSCRAWL_DATABASE_URL"] == f"sqlite:///{PROJECT}/newscrawl.db"
    unwanted = ("TELNETCONSOLE", "REMOTE_CONTROL", "COOKIES", "METAREFRESH", "AUTOTHROTTLE", "HTTPPROXY")
    assert not any(read[f"{name}_ENABLED"] for name in unwanted)


def test_the_environment_wins_over_every_settings_file() -> None:
    for module in ("settings.base", "settings.production"):
        done = settings_of(
            module, NEWSCRAWL_DATABASE_URL="sqlite:///x.db", NEWSCRAWL_DELAY="3", NEWSCRAWL_CONTACT="https://a.example"
        )
        read = json.loads(done.stdout)
        assert read["NEWSCRAWL_DATABASE_URL"] == "sqlite:///x.db"
        assert read["DOWNLOAD_DELAY"] == 3
        assert "https://a.example" in read["USER_AGENT"]


@pytest.mark.parametrize(
    ("module", "environment", "named"),
    [
        ("settings.base", {"NEWSCRAWL_MIN_WORDS": "few"}, "NEWSCRAWL_MIN_WORDS"),
        ("settings.base", {"NEWSCRAWL_CONTACT": "a\nb"}, "NEWSCRAWL_CONTACT"),
        ("settings.production", {}, "NEWSCRAWL_CONTACT"),
    ],
)
def test_a_bad_value_ends_in_one_line_and_exit_code_2(module: str, environment: dict[str, str], named: str) -> None:
    done = settings_of(module, **environment)
    assert done.returncode == 2
    assert done.stderr.startswith(f"newscrawl: setting {named}:")
    assert len(done.stderr.splitlines()) == 1
