"""The project of the working directory. Like Scrapy, it searches the folders above for scrapy.cfg."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import reader_of, store_of
from newscrawl.config.environment import check_project
from newscrawl.config.names import DATABASE, warn_of_unknown
from newscrawl.config.project import default_settings, project_settings, uses_add_on, written_settings
from newscrawl.config.reading import SettingsValues, WrittenSettings, config_of
from newscrawl.config.scrapy_cfg import closest_cfg
from newscrawl.crawling.runtime.setting_checks import check_settings
from newscrawl.errors import ProjectError

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from newscrawl.storage.reader import Reader
    from newscrawl.storage.store import Store

T = TypeVar("T")


def required_settings() -> Settings:
    """Returns the project's settings as Scrapy's Settings. Raises ProjectError outside of a project, or if an installed
    package hides one of the project's, and ConfigurationError for a setting that cannot work."""
    _enter_project()
    settings = project_settings()
    _check(settings)
    return settings


def crawling_settings() -> Settings:
    """Returns the settings of a project whose sites newscrawl crawls, for commands that need declared sites. Raises the
    errors of `required_settings`, and ProjectError for a project that uses the add-on, whose spiders are its own."""
    settings = required_settings()
    if uses_add_on():
        raise ProjectError(
            "this project uses the add-on of newscrawl, so its own spiders crawl, with `scrapy crawl`: this command "
            "needs a project of newscrawl's, which `newscrawl new DIR` makes"
        )
    return settings


def settings_or_database() -> Settings | WrittenSettings:
    """Returns what `required_settings` returns. With `--database`, no project is needed: the settings are those of the
    environment and the defaults, without Scrapy, and there are no declared sites."""
    database = named_database()
    if database is None:
        return required_settings()
    settings = WrittenSettings({**default_settings().written, DATABASE: database})
    _check(settings)
    return settings


def required_config() -> Config:
    """Returns the project's settings with their types, without loading Scrapy. With `--database`, no project is needed.
    Raises the errors of `required_settings`."""
    if named_database() is not None:
        return config_of(settings_or_database())
    _enter_project()
    settings = written_settings()
    _check(settings)
    return config_of(settings)


def database_option(command: Callable[..., T]) -> Callable[..., T]:
    """Adds the option `--database URL` to a command, which then needs no project (a decorator)."""
    return click.option(
        "--database",
        metavar="URL",
        expose_value=False,
        callback=_name_database,
        help="Use this database, from any folder: sqlite:///FILE or postgresql://USER@HOST/NAME.",
    )(command)


def named_database() -> str | None:
    """Returns the value of `--database` of the running command; None if it was not given."""
    context = click.get_current_context(silent=True)
    found = context.meta.get(DATABASE) if context is not None else None
    return str(found) if found is not None else None


def _name_database(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value == "":
        raise click.BadParameter("an empty address is no database; give one like sqlite:///newscrawl.db")
    context.meta[DATABASE] = value


def project_store() -> Store:
    """Returns the project's database, to write. Raises the errors of `required_config`, StorageError or SchemaError,
    and MissingDatabase for a file named with `--database` that is not there."""
    config = required_config()
    check_named_database(config)
    return store_of(config)


def check_named_database(config: Config) -> None:
    """Reads the database that `--database` names, so that a misspelt address is an error and no new database. Raises
    MissingDatabase, StorageError or SchemaError."""
    if named_database() is not None:
        with reader_of(config):
            pass


def project_reader() -> Reader:
    """Returns the project's database, read-only. Raises ProjectError. Entering it raises StorageError or
    SchemaError."""
    return reader_of(required_config())


def _enter_project() -> None:
    found = closest_cfg()
    if not found:
        raise ProjectError(
            "no scrapy.cfg here or in any folder above: change into a newscrawl project, or make one with "
            f"`newscrawl new DIR`{_without_project()}"
        )
    root = found.parent
    if str(root) not in sys.path:  # as Scrapy does it; a console script does not have the working directory there
        sys.path.append(str(root))
    try:
        check_project(root)
    except ProjectError:
        if uses_add_on():
            return
        if (root / "settings").is_dir():
            raise
        raise ProjectError(
            f"the project of {found} is not one of newscrawl: it has no folder settings/, and its ADDONS do not name "
            f"newscrawl.addon.Newscrawl{_without_project()}"
        ) from None


def _without_project() -> str:
    """Returns what the running command offers instead of a project."""
    context = click.get_current_context(silent=True)
    if context is not None and any("--database" in parameter.opts for parameter in context.command.params):
        return ", or name the database with --database URL"
    return "; this command needs a project, also if NEWSCRAWL_DATABASE_URL is set"


def _check(settings: SettingsValues) -> None:
    check_settings(settings)
    warn_of_unknown(os.environ)
