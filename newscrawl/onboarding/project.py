"""Writes an operator's project, for users of the wheel: copies the files of the repository that the wheel contains.

The wheel takes these files from the repository when it is built (pyproject.toml, force-include), so there is one copy
of them. In a clone, they are read from the repository itself.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import newscrawl
from newscrawl.errors import ProjectError, UsageError, os_reason
from newscrawl.onboarding.deploy_files import deploy_files

FOLDERS: Final = ("settings", "pipelines")
"""Folders that are copied with all their modules."""

SINGLE: Final = ("scrapy.cfg", "spiders/__init__.py", "spiders/demo.py", "spiders/generic.py")
"""Files that are copied; of the spiders, only those that are not a real site."""

CARRIED: Final = "project_template"
"""The folder of the installed package with these files."""

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

    With `deployed_as`, the name of its user and service, the files for running it on a server are written as well, also
    into a project that is there already. Raises UsageError before anything is written if the folder has one of the
    files, or is not a folder.
    """
    source = template()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a folder")
    files = files_of(source)
    written = {"README.md": README, ".gitignore": GITIGNORE}
    if deployed_as is not None:
        extra = deploy_files(source, deployed_as)
        if (folder / "scrapy.cfg").exists():  # only what is new
            files, written = [], {}
        written |= extra
    targets = [*files, *written]
    there = [name for name in targets if (folder / name).exists()]
    if there:
        raise UsageError(f"{folder} has {there[0]} already: name a new folder, nothing is overwritten")
    try:
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, folder / name)
        for name, text in written.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write into {folder}: {os_reason(error)}") from error
    return [folder / name for name in targets]
