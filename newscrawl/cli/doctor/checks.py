"""The checks of `newscrawl doctor` on the project: settings, contact, archive."""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scrapy.spiderloader import get_spider_loader

from newscrawl.cli.common.project import required_settings
from newscrawl.cli.common.words import counted
from newscrawl.cli.doctor.findings import Finding, Findings, ok, to_do
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.names import meant, unknown_variables
from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.address_guard import policy_of
from newscrawl.crawling.fleet.declarations import check_schedules, problems_of
from newscrawl.crawling.runtime.archive import archive_settings
from newscrawl.crawling.runtime.startup_checks.contact import CONTACT, names_contact, put_into_user_agent
from newscrawl.errors import os_reason

if TYPE_CHECKING:
    from scrapy.settings import Settings

GIGABYTE: Final = 10**9


@dataclass(frozen=True, slots=True)
class ProjectState:
    """The values that the other checks need of a project whose settings can be used."""

    settings: Settings
    config: Config


def check_settings(environment: Mapping[str, str]) -> tuple[ProjectState | None, Findings]:
    """Reads all settings as a crawl does. The state is None if a crawl could not start with them."""
    stderr = io.StringIO()
    try:
        with contextlib.redirect_stderr(stderr):
            settings = required_settings()
            put_into_user_agent(settings)
            config = config_of(settings)
            options_of(config)
            policy_of(config)
    except SystemExit:  # a settings module ends the process with a line of its own
        return None, [to_do("settings", stderr.getvalue().strip().removeprefix("newscrawl: "))]
    unknown = unknown_variables(environment)
    if unknown:
        names = ", ".join(f"{name}{meant(name)}" for name in unknown)
        text = f"no effect: {names}"
        found: Finding = to_do("settings", text, "correct or remove them in the environment")
    else:
        project = environment.get("SCRAPY_PROJECT")
        found = ok("settings", f"all can be used{f' ({project})' if project else ''}")
    return ProjectState(settings, config), [found]


def check_contact(state: ProjectState) -> Findings:
    """Returns whether the user agent names a contact."""
    agent = state.settings["USER_AGENT"]
    if names_contact(agent):
        return [ok("contact", str(agent))]
    advice = f"set an address or URL at which the owner of a site can reach you: export {CONTACT}=you@example.org"
    return [to_do("contact", f"{CONTACT} is empty: only sites on this machine are crawled", advice)]


def check_declarations(state: ProjectState) -> Findings:
    """Returns whether all declared sites could be crawled, as `newscrawl run` reads them, with their schedules."""
    loader = get_spider_loader(state.settings)
    spiders = {name: loader.load(name) for name in loader.list()}
    broken = getattr(loader, "broken", {})
    check_schedules(state.config, None if broken else spiders)
    wrong = problems_of(spiders, state.settings, state.config)
    problems = [*broken.values(), *wrong.values()]
    if not problems:
        return [ok("declarations", counted(len(spiders), "site"))]
    return [to_do("declarations", problem, "the site is not crawled") for problem in problems]


def check_archive(config: Config) -> Findings:
    """Returns whether pages can be written into the archive, its disk has the free space that crawls need, and its
    object store, if there is one, takes and gives a file."""
    archive = archive_settings(config)
    if archive is None:
        return [ok("archive", "off")]
    folder = archive.folder
    nearest = next(each for each in (folder, *folder.parents) if each.exists())
    if not nearest.is_dir():
        return [to_do("archive", f"{nearest} is a file", "name another folder in NEWSCRAWL_ARCHIVE_URL")]
    try:
        with tempfile.TemporaryFile(dir=nearest) as file:
            file.write(b"newscrawl doctor\n")
    except OSError as error:
        advice = "see that the user who runs newscrawl may write there, or set another NEWSCRAWL_ARCHIVE_URL"
        return [to_do("archive", f"cannot write into {nearest}: {os_reason(error)}", advice)]
    free, needed = shutil.disk_usage(nearest).free, int(config.archive.min_free_gb * GIGABYTE)
    text = f"{folder}, {_gb(free)} free"
    objects = archive.objects
    if objects is not None:
        objects.try_out()
        text = f"{objects.address}; files grow in {text}"
    if free < needed:
        limit = "let the object store take the files" if objects is not None else "lower NEWSCRAWL_ARCHIVE_MAX_GB"
        advice = f"make room, or {limit}: fetching pauses until then"
        return [to_do("archive", f"{text}, fewer than the {_gb(needed)} of NEWSCRAWL_ARCHIVE_MIN_FREE_GB", advice)]
    return [ok("archive", text)]


def _gb(number: int) -> str:
    return f"{number / GIGABYTE:.1f} GB"
