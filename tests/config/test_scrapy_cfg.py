"""Without loading Scrapy, the project's settings are those that Scrapy reads."""

from __future__ import annotations

import os
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest
from scrapy.settings import Settings, default_settings
from scrapy.utils.conf import closest_scrapy_cfg, get_config, init_env

from newscrawl.config import scrapy_defaults
from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.project import project_settings, safe_settings, written_settings
from newscrawl.config.reading import WrittenSettings, config_of
from newscrawl.config.scrapy_cfg import MODULE, PROJECT, closest_cfg, name_module, read_cfg
from newscrawl.errors import ConfigurationError, ProjectError

ROOT = Path(__file__).resolve().parents[2]
CFG = "[settings]\ndefault = some.base\nproduction = some.production\n"


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home without files, and an environment and a search path that are put back."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", MODULE, PROJECT):
        monkeypatch.setenv(name, "")  # noted, so that it is put back whatever a test makes of it
        monkeypatch.delenv(name)
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder two levels below a scrapy.cfg is the working directory; returns the project's folder."""
    folder = tmp_path / "project"
    (folder / "spiders" / "news").mkdir(parents=True)
    (folder / "scrapy.cfg").write_text(CFG, encoding="utf-8")
    monkeypatch.chdir(folder / "spiders" / "news")
    return folder


def said(config: ConfigParser) -> dict[str, dict[str, str]]:
    return {name: dict(config[name]) for name in config.sections()}


def test_the_closest_file_is_scrapys(project: Path) -> None:
    assert str(closest_cfg()) == closest_scrapy_cfg() == str(project / "scrapy.cfg")


def test_no_file_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert closest_cfg() is None
    assert closest_scrapy_cfg() == ""


@pytest.mark.parametrize("users", ["home/.scrapy.cfg", "home/.config/scrapy.cfg", "elsewhere/scrapy.cfg", None])
def test_the_user_and_the_project_say_what_scrapy_reads(
    users: str | None, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if users is not None:
        file = tmp_path / users
        file.parent.mkdir(exist_ok=True)
        file.write_text("[settings]\ndefault = users.own\nmine = users.mine\n", encoding="utf-8")
    if users == "elsewhere/scrapy.cfg":
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "elsewhere"))
    assert said(read_cfg()) == said(get_config())
    assert read_cfg().get("settings", "default") == "some.base"
    assert read_cfg().has_option("settings", "mine") == (users is not None)


@pytest.mark.parametrize("name", ["default", "production", "unknown"])
@pytest.mark.parametrize("named", [None, "other.module"])
def test_the_module_and_the_search_path_are_scrapys(
    name: str, named: str | None, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if named is not None:
        monkeypatch.setenv(MODULE, named)
    environment, path = dict(os.environ), list(sys.path)
    name_module(name)
    ours = os.environ.get(MODULE), list(sys.path)
    os.environ.pop(MODULE, None)
    os.environ.update(environment)
    sys.path[:] = path
    init_env(name)
    assert ours == (os.environ.get(MODULE), sys.path)
    assert sys.path[-1] == str(project)
    name_module(name)
    assert sys.path.count(str(project)) == 1


@pytest.mark.parametrize("name", [None, "default", "production"])
def test_the_values_are_scrapys(name: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NEWSCRAWL_CONTACT", "news@example.org")
    monkeypatch.setenv("NEWSCRAWL_DELAY", "3.5")
    if name is not None:
        monkeypatch.setenv(PROJECT, name)
    ours, scrapys = written_settings(), project_settings()
    assert os.environ[MODULE] == ("settings.production" if name == "production" else "settings.base")
    written = set(ours) - {"PROJECT"}  # Scrapy stores SCRAPY_PROJECT under this name, ours is the project's folder
    assert {key: ours.get(key) for key in written} == {key: plain(scrapys, key) for key in written}
    assert {key: ours.get(key) for key in CATALOGUE} == {key: scrapys.get(key) for key in CATALOGUE}
    assert config_of(ours) == config_of(scrapys)


def plain(settings: Settings, name: str) -> object:
    """A setting as the module wrote it: Scrapy adds its own defaults to some mappings."""
    value = settings.get(name)
    return dict(value) if hasattr(value, "maxpriority") else value


def test_outside_of_a_project_the_safe_settings_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert config_of(written_settings()) == config_of(safe_settings()) == config_of(project_settings())
    assert written_settings().get("DOWNLOAD_MAXSIZE") == scrapy_defaults.DOWNLOAD_MAXSIZE


def test_settings_of_another_crawler_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = foreign_settings\n", encoding="utf-8")
    (tmp_path / "foreign_settings.py").write_text("DOWNLOAD_MAXSIZE = 7\nNEWSCRAWL_BATCH_SIZE = 7\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "foreign_settings", raising=False)
    assert config_of(written_settings()) == config_of(project_settings()) == config_of(safe_settings())


def test_what_the_module_does_not_write_is_scrapys_default() -> None:
    settings = WrittenSettings({"NEWSCRAWL_BATCH_SIZE": 7, "REDIRECT_MAX_TIMES": None})
    assert settings.get("DOWNLOAD_TIMEOUT") == default_settings.DOWNLOAD_TIMEOUT
    assert settings.get("REDIRECT_MAX_TIMES", 3) == 3
    assert settings.get("NO_SUCH_SETTING", 5) == 5
    assert settings.get("NEWSCRAWL_BATCH_SECONDS") is None
    assert config_of(settings).storage.batch_size == 7


def test_an_error_names_the_variable_that_gave_the_value() -> None:
    settings = WrittenSettings({"DOWNLOAD_DELAY": "slow"})
    with pytest.raises(ConfigurationError, match="NEWSCRAWL_DELAY"):
        config_of(settings, {"NEWSCRAWL_DELAY": "slow"})
    with pytest.raises(ConfigurationError, match="DOWNLOAD_DELAY"):
        config_of(settings, {})


def test_an_unknown_project_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv(PROJECT, "produktion")
    with pytest.raises(ProjectError, match="is production meant"):
        written_settings()
