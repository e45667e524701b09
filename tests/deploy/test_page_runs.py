"""The lines of docs/how-to/deploy.md, and of the page that `newscrawl new --deploy` writes, run in a temporary root.

What needs the real machine is replaced by programs that note their call: users, systemd, sudo, and the installation of
packages, and the role and database of a PostgreSQL server. Container lines are left out, because no machine here has
such an engine.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import warm
import yaml
from patience import PATIENCE

from newscrawl.discovery.onboarding.project import MONITORING, checked, make_project, named_after
from newscrawl.errors import UsageError

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "how-to" / "deploy.md"
PLACES = re.compile(r"(?<![\w.=])(sqlite:///)?/(srv|etc|var|usr/local/bin)/")
LEFT_OUT = ("podman ",)
FEW_REQUESTS = json.dumps({"demo": {"daily_requests": 5}})
STUBS = {
    "useradd": 'echo "useradd $*" >>"$CALLS"',
    "systemctl": 'echo "systemctl $*" >>"$CALLS"',
    "chown": 'echo "chown $*" >>"$CALLS"',
    "createuser": 'echo "createuser $*" >>"$CALLS"',
    "createdb": 'echo "createdb $*" >>"$CALLS"',
    **dict.fromkeys(("pg_dump", "pg_restore", "psql"), "exit 0"),  # tests/storage/backup runs them
    "sudo": 'echo "sudo $1 $2" >>"$CALLS"; shift 2; exec "$@"',
    "install": """
        keep=""
        while [ $# -gt 0 ]; do
            case "$1" in -o|-g) shift 2 ;; *) keep="$keep '$1'"; shift ;; esac
        done
        eval exec /usr/bin/install -D $keep
    """,
    # A virtual environment with a newscrawl that notes how it was called, and a pip that notes what it is asked for.
    "python3": """
        if [ "$2" = pip ]; then echo "$*" >>"$CALLS"; exit; fi
        mkdir -p "$3/bin"
        printf '#!/bin/sh\\nenv -0 >"$CALLS.env"\\nprintf "%%s\\\\0" "$PWD" "$@" >"$CALLS.words"\\n' >"$3/bin/newscrawl"
        printf '#!/bin/sh\\necho "pip $*" >>"$CALLS"\\n' >"$3/bin/pip"
        chmod +x "$3/bin/newscrawl" "$3/bin/pip"
    """,
}


@dataclass(frozen=True)
class Machine:
    """A root folder, and a project's folder in which lines are run."""

    root: Path
    project: Path

    def here(self, text: str) -> str:
        """A text with its paths in the root."""
        return PLACES.sub(lambda found: f"{found[1] or ''}{self.root}/{found[2]}/", text)

    def run(self, line: str) -> None:
        """Runs a line of a page. The newscrawl that it calls is this test's, with the folder and variables of the
        call."""
        path, calls = f"{self.root}/stubs:/usr/bin:/bin", self.root / "calls"
        environment = {"PATH": path, "CALLS": str(calls), "HOME": str(self.root)}
        how: dict[str, Any] = {"capture_output": True, "text": True, "timeout": PATIENCE, "check": False}
        done = subprocess.run(["sh", "-c", self.here(line)], cwd=self.project, env=environment, **how)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        words, variables = calls.with_suffix(".words"), calls.with_suffix(".env")
        if words.exists():
            folder, *arguments = words.read_text("utf-8").split("\0")[:-1]
            given = dict(one.split("=", 1) for one in variables.read_text("utf-8").split("\0") if one)
            given |= {**warm.shared(os.environ), "PYTHONPATH": f"{folder}:{REPOSITORY}"}
            done = warm.run([sys.executable, "-m", "newscrawl.cli", *arguments], cwd=folder, env=given, **how)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            words.unlink()

    @property
    def calls(self) -> str:
        return (self.root / "calls").read_text("utf-8")


@pytest.fixture
def machine(tmp_path: Path) -> Callable[[Path], Machine]:
    def made(project: Path) -> Machine:
        found = Machine(tmp_path / "root", project)
        for folder in ("etc/cron.d", "etc/systemd/system", "usr/local/bin", "stubs", "var/lib", "srv"):
            (found.root / folder).mkdir(parents=True)
        for name, text in STUBS.items():
            (found.root / "stubs" / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
            (found.root / "stubs" / name).chmod(0o755)
        for file in (project / "deploy").iterdir():
            if file.is_file():
                file.write_text(found.here(file.read_text("utf-8")), "utf-8")
        return found

    return made


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What of a clone the page names, with no site of the network."""
    folder = tmp_path / "clone"
    make_project(folder)
    shutil.copytree(REPOSITORY / "deploy", folder / "deploy")
    shutil.copy(REPOSITORY / "constraints.txt", folder)
    return folder


def lines_of(page: str) -> list[str]:
    """The lines of the page's shell blocks, in order."""
    blocks = re.findall(r"^```bash\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def run_page(machine: Machine, page: str, name: str) -> list[str]:
    """Runs the lines of a page, with a contact where it asks for one, and a small budget for the demo."""
    ran = []
    for line in lines_of(page):
        if line.startswith(LEFT_OUT):
            continue
        if line.endswith(" doctor"):
            settings = machine.root / "etc" / f"{name}.env"
            text = settings.read_text("utf-8")
            contact = text.replace("NEWSCRAWL_CONTACT=\n", "NEWSCRAWL_CONTACT=you@example.org\n")
            settings.write_text(f"{contact}NEWSCRAWL_SITE_SCHEDULES='{FEW_REQUESTS}'\n", "utf-8")
            machine.run(f"sudo -u {name} /usr/local/bin/{name} db upgrade")
        machine.run(line)
        ran.append(line)
    return ran


def test_every_line_of_the_page_runs(machine: Callable[[Path], Machine], clone: Path) -> None:
    made = machine(clone)
    ran = run_page(made, PAGE.read_text("utf-8"), "newscrawl")
    assert len(ran) >= 20
    assert "useradd --system" in made.calls
    assert "systemctl enable --now newscrawl" in made.calls
    assert "'.[postgresql]'" not in made.calls  # the shell has taken the quotes
    assert ".[postgresql]" in made.calls
    assert "sudo -u newscrawl" in made.calls
    assert "sudo -u root" not in made.calls
    assert "createuser --pwprompt newscrawl\ncreatedb" not in made.calls  # each as the user postgres
    assert "sudo -u postgres\ncreateuser --pwprompt newscrawl\n" in made.calls
    assert "createdb --owner=newscrawl --encoding=UTF8 --template=template0 newscrawl\n" in made.calls
    assert "-m pip wheel --no-deps --wheel-dir" in made.calls
    restored = made.root / "var" / "lib" / "newscrawl" / "newscrawl.db"
    with closing(sqlite3.connect(restored)) as connection:
        assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
    assert list((made.root / "var" / "backups" / "newscrawl").glob("before-*.db"))


def test_the_page_gives_commands_user_and_settings_makes_folders_first_and_names_files_that_are_there() -> None:
    page, cron = PAGE.read_text("utf-8"), (REPOSITORY / "deploy" / "newscrawl.cron").read_text("utf-8")
    called = [line for line in lines_of(page) if re.search(r"(^|/bin/)newscrawl ", line) and "pip" not in line]
    called = [line for line in called if not line.startswith(("install ", "useradd "))]
    assert len(called) >= 4
    assert all(line.startswith("sudo -u newscrawl /usr/local/bin/newscrawl ") for line in called), called
    made = " ".join(line for line in lines_of(page) if line.startswith("install -d -o newscrawl -g newscrawl -m 750 "))
    assert {*re.findall(r"/var/\w+/newscrawl", cron + page), "/srv/newscrawl/project"} <= set(made.split())
    for name in set(re.findall(r"deploy/([\w.-]+\w)", page)) - {"wheels"}:  # of projects
        assert (REPOSITORY / "deploy" / name).exists(), name


def test_a_project_has_files_with_its_name_and_a_page_that_runs(
    machine: Callable[[Path], Machine], tmp_path: Path
) -> None:
    project = tmp_path / "Daily News"
    make_project(project, named_after(project))
    made = machine(project)
    page = (project / "deploy" / "README.md").read_text("utf-8")
    assert "newscrawl.service" not in page
    run_page(made, page, "daily-news")
    assert "useradd --system --home-dir" in made.calls
    assert "systemctl enable --now daily-news" in made.calls
    assert (made.root / "var" / "backups" / "daily-news" / "today.db").is_file()
    table = (made.root / "etc" / "cron.d" / "daily-news").read_text("utf-8")
    lines = [line.split(maxsplit=6) for line in table.splitlines() if re.match(r"[*\d]", line)]
    for *_, user, command in lines:
        assert user == "daily-news"
        made.run(command.replace("\\%", "%"))  # as cron does it
    assert (made.root / "var" / "log" / "daily-news" / "run.log").is_file()
    assert len(list((made.root / "var" / "backups" / "daily-news").glob("2*.db"))) == 1


def metrics_of_rules() -> set[str]:
    """The metrics that the repository's own rules and dashboard name."""
    files = [(REPOSITORY / "deploy" / name).read_text("utf-8") for name in MONITORING]
    return {name for text in files for name in re.findall(r"newscrawl_\w+", text)}


def test_the_rules_and_the_dashboard_of_a_project_select_its_scrape_job(tmp_path: Path) -> None:
    make_project(tmp_path / "press", "press")
    deploy = tmp_path / "press" / "deploy"
    (group,) = yaml.safe_load((deploy / "prometheus-rules.yml").read_text("utf-8"))["groups"]
    dashboard = json.loads((deploy / "grafana-dashboard.json").read_text("utf-8"))
    asked = [rule["expr"] for rule in group["rules"]]
    asked += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += [one["query"]["query"] for one in dashboard["templating"]["list"] if one["name"] == "site"]
    assert len(asked) > 20
    for expression in asked:
        assert set(re.findall(r"[\w/]*newscrawl\w*", expression)) <= metrics_of_rules(), expression
        metrics = re.findall(r"\b(?:newscrawl_\w+|up)\b(.*?(?=\bnewscrawl_|$))", expression.replace("\n", " "))
        assert metrics
        assert all(rest.startswith('{job="press"') for rest in metrics), expression
    assert (group["name"], dashboard["uid"], dashboard["title"]) == ("press", "press", "press")
    assert "journalctl -u press" in json.dumps(group)
    assert "newscrawl " not in json.dumps(group)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_accepts_the_unit_of_a_project(tmp_path: Path) -> None:
    make_project(tmp_path / "press", "press")
    unit = tmp_path / "press" / "deploy" / "press.service"
    text = unit.read_text("utf-8")
    assert {"User=press", "StateDirectory=press", "EnvironmentFile=/etc/press.env"} <= set(text.splitlines())
    program = str(Path(sys.executable).with_name("newscrawl"))
    unit.write_text(text.replace("/srv/press/venv/bin/newscrawl", program), "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, [line for line in done.stderr.splitlines() if "press" in line]) == (0, [])


def test_the_container_files_copy_what_the_project_has(tmp_path: Path) -> None:
    make_project(tmp_path / "press", "press")
    text = (tmp_path / "press" / "deploy" / "Containerfile").read_text("utf-8")
    assert "NAME" not in text
    assert "VERSION" not in text
    for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE):
        for name in line.split()[:-1]:
            assert (tmp_path / "press" / name).exists(), name
    compose = (tmp_path / "press" / "deploy" / "compose.yaml").read_text("utf-8")
    assert "dockerfile: deploy/Containerfile" in compose
    assert "@database/press" in compose
    ignored = (tmp_path / "press" / ".containerignore").read_text("utf-8").split()
    assert {"*.db", "*.archive", ".env"} <= set(ignored)


def test_the_files_can_be_written_into_a_project_that_is_there(tmp_path: Path) -> None:
    make_project(tmp_path / "press")
    mine = tmp_path / "press" / "settings" / "base.py"
    mine.write_text("mine\n", "utf-8")
    written = make_project(tmp_path / "press", "press")
    assert mine.read_text("utf-8") == "mine\n"
    assert tmp_path / "press" / "deploy" / "press.service" in written
    with pytest.raises(UsageError, match="nothing to do"):
        make_project(tmp_path / "press", "press")


def test_files_of_an_older_newscrawl_stay_beside_the_present_ones(tmp_path: Path) -> None:
    project = tmp_path / "press"
    make_project(project, "press")
    unit, cron = project / "deploy" / "press.service", project / "deploy" / "press.cron"
    present = unit.read_text("utf-8")
    unit.write_text("mine\n", "utf-8")
    cron.unlink()
    assert sorted(make_project(project, "press")) == [cron, unit.with_name("press.service.new")]
    assert (unit.read_text("utf-8"), unit.with_name("press.service.new").read_text("utf-8")) == ("mine\n", present)
    with pytest.raises(UsageError, match="nothing is overwritten"):
        make_project(project)


@pytest.mark.parametrize("name", ["", "2news", "News", "a b", "x" * 32, "a;b", "-a"])
def test_a_name_that_no_user_can_have_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="give --name"):
        checked(name)


def test_the_command_names_the_page(tmp_path: Path) -> None:
    done = warm.run(
        [sys.executable, "-m", "newscrawl.cli", "new", "press", "--deploy", "--name", "daily"],
        cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert "press/deploy/README.md says how to install it as daily" in done.stdout
    assert (tmp_path / "press" / "deploy" / "daily.service").is_file()
