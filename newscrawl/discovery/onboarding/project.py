"""Writes an operator's project, for users of the wheel: copies the files of the repository that the wheel contains.

The wheel takes these files from the repository when it is built (pyproject.toml, force-include), so there is one copy
of them. In a clone, they are read from the repository itself.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import newscrawl
from newscrawl.discovery.onboarding.deploy_files import deploy_files
from newscrawl.errors import ProjectError, UsageError, os_reason

FOLDERS: Final = ("settings", "pipelines")
"""Folders that are copied with all their modules."""

SINGLE: Final = ("scrapy.cfg", "spiders/__init__.py", "spiders/demo.py", "spiders/generic.py")
"""Files that are copied; of the spiders, only those that are not a real site."""

CARRIED: Final = "project_template"
"""The folder of the installed package with these files."""

NEW: Final = ".new"
"""Suffix of a file for a server that is written beside the project's own."""

GITIGNORE: Final = (
    "__pycache__/\n*.db\n*.db-*\n*.db.lock\n*.archive/\n*.warc\n*.warc.gz\n/archive/\n/site-tests/\n/.env\n"
)
README: Final = """# A newscrawl project

    scrapy crawl demo                               a news site that is served on this machine
    newscrawl add-site https://www.example.com/     one of your own: writes spiders/example.py
    newscrawl sites                                 what there is to crawl
    scrapy crawl example
    newscrawl status

`settings/` holds the settings, `spiders/` a file for each site, `pipelines/` what happens to a page. Articles go to
`newscrawl.db` here unless NEWSCRAWL_DATABASE_URL says otherwise, the fetched pages to `newscrawl.archive` beside it.
Both stay out of git (`.gitignore`). Sites of others are crawled only with NEWSCRAWL_CONTACT set, an address at which
their owners can reach you. For a crawl that runs for long set SCRAPY_PROJECT to production.
"""


def template() -> Path:
    """Returns the folder with the files of a project. Raises ProjectError if there is none."""
    package = Path(newscrawl.__file__).resolve().parent
    for folder in (package / CARRIED, package.parent):
        if all((folder / name).is_file() for name in (*SINGLE, *(f"{name}/__init__.py" for name in FOLDERS))):
            return folder
    raise ProjectError(f"the installed newscrawl has no {CARRIED}: install it again from its wheel")


def files_of(folder: Path) -> list[str]:
    """Returns the files of a project in the template, by their paths in it."""
    modules = [path for name in FOLDERS for path in sorted((folder / name).rglob("*.py"))]
    return [*SINGLE, *(str(path.relative_to(folder)) for path in modules)]


def is_clone() -> bool:
    """Returns whether newscrawl runs from its repository, whose own packages Python then finds before a project's."""
    return template().name != CARRIED


def make_project(folder: Path, deployed_as: str | None = None) -> list[Path]:
    """Writes a project into `folder`, which is created if necessary. Returns the written files.

    With `deployed_as`, the name of its user and service, the files for running it on a server are written as well. Into
    a project that is there already, only those are written. A file that the project has changed, or that an older
    newscrawl wrote, stays; the present one is written beside it with the suffix NEW. Raises UsageError before anything
    is written if a new project has one of the files, if nothing is to be written, or if `folder` is not a folder.
    """
    source = template()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a folder")
    texts = deploy_files(source, deployed_as) if deployed_as is not None else {}
    if texts and (folder / "scrapy.cfg").exists():
        texts = _refreshed(folder, texts)
        copied: list[str] = []
        if not texts:
            raise UsageError(f"{folder} has all files for a server as this newscrawl writes them: nothing to do")
    else:
        texts, copied = {"README.md": README, ".gitignore": GITIGNORE} | texts, files_of(source)
        if there := [name for name in (*copied, *texts) if (folder / name).exists()]:
            raise UsageError(f"{folder} has {there[0]} already: name a new folder, nothing is overwritten")
    try:
        for name in copied:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, folder / name)
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write into {folder}: {os_reason(error)}") from error
    return [folder / name for name in (*copied, *texts)]


def _refreshed(folder: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """The files that the project lacks, and under another name those that differ from its own."""
    found = {}
    for name, text in texts.items():
        own = folder / name
        if not own.exists():
            found[name] = text
        elif own.read_text("utf-8", errors="replace") != text:
            found[name + NEW] = text
    return found
