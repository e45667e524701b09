"""Writes an operator's project, for users of the wheel: copies the files of the repository that the wheel contains.

The wheel takes these files from the repository when it is built (pyproject.toml, force-include), so there is one copy
of them. In a clone, they are read from the repository itself.

The files for running a project on a server (`newscrawl new DIR --deploy`) are those of the repository's folder deploy/.
The project's name replaces newscrawl in the names of user, folders, files and service. The container file differs,
because a project is no clone of newscrawl.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import newscrawl
from newscrawl.config.version import version
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


DEPLOY_FOLDER: Final = "deploy"
RENAMED: Final = ("service", "cron", "env", "sh", "logrotate")
"""Endings of the files `newscrawl.ENDING` of the repository's deploy/."""
MONITORING: Final = ("prometheus-rules.yml", "grafana-dashboard.json")
"""Files of deploy/ that select the metrics of one project by the name of its scrape job."""
METRIC: Final = re.compile(r"\bnewscrawl(_\w+)\b(\{)?")
NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}")
"""A name that Linux accepts for a user, and systemd for a service."""

CONTAINERFILE: Final = """# podman build -f deploy/Containerfile -t NAME .      (docker build takes the same words)
FROM python:3.12-slim

RUN useradd --system --uid 10001 --home-dir /project NAME \\
    && install -d -o NAME -g NAME /project /data

# A wheel in deploy/wheels/ is used before one of a package index.
COPY deploy/wheels /wheels
RUN pip install --no-cache-dir --find-links /wheels "newscrawl[postgresql,s3]==VERSION"

COPY scrapy.cfg /project/
COPY settings /project/settings
COPY pipelines /project/pipelines
COPY spiders /project/spiders
WORKDIR /project
USER NAME
ENV NEWSCRAWL_DATABASE_URL=sqlite:////data/NAME.db PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
VOLUME /data

STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s --retries=3 \\
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:9100/health', timeout=5)"]
ENTRYPOINT ["newscrawl"]
CMD ["run", "--health", "9100"]
"""

IGNORED: Final = ".git\n.venv\n__pycache__\n*.db\n*.db-*\n*.db.lock\n*.archive\n*.warc\n*.warc.gz\nsite-tests\n.env\n"
"""Files that stay out of the image, such as the database and the archive."""

DEPLOY_README: Final = """# Run NAME on a server

As root, in the project's folder. The commands make the user NAME, the folders, a virtual environment, the settings in
/etc/NAME.env and the command /usr/local/bin/NAME. A wheel of newscrawl in deploy/wheels/ is used before one of a
package index. In a clone of newscrawl, `python3 -m pip wheel --no-deps --wheel-dir FOLDER .` builds it.

```bash
useradd --system --home-dir /srv/NAME --create-home NAME
install -d -o NAME -g NAME -m 750 /srv/NAME/project
install -d -o NAME -g NAME -m 750 /var/lib/NAME /var/log/NAME /var/backups/NAME
python3 -m venv /srv/NAME/venv
/srv/NAME/venv/bin/pip install --find-links deploy/wheels 'newscrawl[postgresql]==VERSION'
cp -r scrapy.cfg settings pipelines spiders /srv/NAME/project/
chown -R NAME: /srv/NAME/project
install -m 640 -o root -g NAME deploy/NAME.env /etc/NAME.env    # then set NEWSCRAWL_CONTACT in it
install -m 755 deploy/NAME.sh /usr/local/bin/NAME
sudo -u NAME /usr/local/bin/NAME doctor
```

/usr/local/bin/NAME has the subcommands and options of `newscrawl`. Always run it as the user NAME.

Then either the service:

```bash
install -m 644 deploy/NAME.service /etc/systemd/system/NAME.service
systemctl daemon-reload
systemctl enable --now NAME
```

or cron, every ten minutes:

```bash
install -m 644 -o root -g root deploy/NAME.cron /etc/cron.d/NAME
install -m 644 -o root -g root deploy/NAME.logrotate /etc/logrotate.d/NAME
```

To upgrade, put the new wheel into deploy/wheels/ and run:

```bash
sudo -u NAME /usr/local/bin/NAME backup /var/backups/NAME/before-$(date +%F-%H%M).db
systemctl stop NAME
/srv/NAME/venv/bin/pip install --upgrade --find-links deploy/wheels 'newscrawl[postgresql]'
sudo -u NAME /usr/local/bin/NAME db upgrade
systemctl start NAME
```

`newscrawl new . --deploy --name NAME` then writes each of these files that has changed beside yours, as FILE.new.

The cron table also copies the database every night; with the service, keep that line alone.

Monitoring: give Prometheus a scrape job with the name NAME, and copy deploy/prometheus-rules.yml beside its
configuration. The rules select this job. Import deploy/grafana-dashboard.json in Grafana.

```yaml
rule_files:
  - prometheus-rules.yml
scrape_configs:
  - job_name: NAME
    scrape_interval: 30s
    static_configs:
      - targets: ["127.0.0.1:9100"]
```

PostgreSQL instead of SQLite, as root on the machine of the server; then write the password into
`NEWSCRAWL_DATABASE_URL=postgresql://NAME:PASSWORD@127.0.0.1/NAME` in /etc/NAME.env:

```bash
sudo -u postgres createuser --pwprompt NAME
sudo -u postgres createdb --owner=NAME --encoding=UTF8 --template=template0 NAME
sudo -u NAME /usr/local/bin/NAME db upgrade
```

Containers: `podman build -f deploy/Containerfile -t NAME .`, or deploy/compose.yaml with PostgreSQL.

Back up and restore:

```bash
sudo -u NAME /usr/local/bin/NAME backup /var/backups/NAME/today.db
```

`sudo -u NAME /usr/local/bin/NAME restore FILE` restores it to a database that is empty: stop the service and move the
old files away first. These commands, and the one before an upgrade, are for SQLite: a database on PostgreSQL is copied
with pg_dump and restored with pg_restore.
"""


def named_after(folder: Path) -> str:
    """Returns the name of a project for user and service, from the name of its folder. Raises UsageError if the folder
    has no usable name."""
    name = re.sub(r"[^a-z0-9_-]+", "-", folder.resolve().name.lower()).strip("-_")[:31]
    return checked(name)


def checked(name: str) -> str:
    """Returns the name. Raises UsageError if no user or service can have it."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot name a user and a service: give --name with a small letter first, then small letters, "
            "digits, - and _"
        )
    return name


def deploy_files(template_folder: Path, name: str) -> dict[str, str]:
    """Returns the files, by their path in the project, with their content. `template_folder` is that of
    `template`. Raises ProjectError if it has no such files."""
    source = template_folder / DEPLOY_FOLDER
    files = {".containerignore": IGNORED, f"{DEPLOY_FOLDER}/wheels/.gitkeep": ""}
    try:
        for ending in RENAMED:
            files[f"{DEPLOY_FOLDER}/{name}.{ending}"] = _renamed(
                (source / f"newscrawl.{ending}").read_text("utf-8"), name
            )
        files[f"{DEPLOY_FOLDER}/compose.yaml"] = _renamed((source / "compose.yaml").read_text("utf-8"), name)
        for path in MONITORING:
            files[f"{DEPLOY_FOLDER}/{path}"] = monitoring_of((source / path).read_text("utf-8"), name)
    except OSError as error:
        raise ProjectError(
            f"the installed newscrawl has no {error.filename}: install it again from its wheel"
        ) from error
    for path, text in (("Containerfile", CONTAINERFILE), ("README.md", DEPLOY_README)):
        files[f"{DEPLOY_FOLDER}/{path}"] = text.replace("NAME", name).replace("VERSION", version())
    return files


def monitoring_of(text: str, name: str) -> str:
    """Returns rules or a dashboard for the metrics of one project: those of the scrape job with its name. The names of
    the metrics stay."""
    quote = '\\"' if text.startswith("{") else '"'
    job = f"job={quote}{name}{quote}"
    kept = METRIC.sub(lambda found: f"\1{found[1]}{{{job}" + (", " if found[2] else "}"), text)
    return _renamed(kept, name).replace("\1", "newscrawl")


def _renamed(text: str, name: str) -> str:
    """Returns a file of the repository with the project's name. The command in the virtual environment, and the package
    that pip installs, keep theirs."""
    command, package, page = "venv/bin/newscrawl", "pip install 'newscrawl[", "docs/how-to/deploy.md"
    kept = text.replace(command, "\0").replace(package, "\2").replace(page, f"{DEPLOY_FOLDER}/README.md")
    return kept.replace("newscrawl", name).replace("\0", command).replace("\2", package)
