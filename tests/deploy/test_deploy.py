"""The files in deploy/ name commands, options and settings that exist.

tests/deploy/test_page_runs.py runs what their page says, and systemd reads the unit there.
"""

from __future__ import annotations

import configparser
import re
import shlex
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from cronsim import CronSim
from docs_pages import check_command
from patience import PATIENCE

from newscrawl.config.catalogue import CATALOGUE

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SERVICE = DEPLOY / "newscrawl.service"


def newscrawl_words(line):
    """The arguments of the newscrawl commands in a shell line."""
    for part in re.split(r"&&|\|\||;", line):
        words = shlex.split(part, comments=True)
        for place, word in enumerate(words):
            if word == "newscrawl" or word.endswith("/bin/newscrawl"):
                rest = words[place + 1 :]
                yield [word for word in rest if not re.match(r"\d?>", word)]
                break


def service():
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",))
    parser.optionxform = str
    parser.read_string(SERVICE.read_text("utf-8"))
    return parser


def test_the_unit_runs_a_command_that_exists_and_lets_it_drain():
    unit = service()["Service"]
    (words,) = newscrawl_words(unit["ExecStart"])
    check_command(words)
    assert int(unit["TimeoutStopSec"]) > 30
    assert unit["KillMode"] == "mixed"
    assert unit["RestartPreventExitStatus"] == "2"


def test_every_cron_line_has_a_time_a_user_and_commands_that_exist():
    lines = [line for line in (DEPLOY / "newscrawl.cron").read_text("utf-8").splitlines() if re.match(r"[*\d]", line)]
    assert len(lines) == 2
    for line in lines:
        *time, user, command = line.split(maxsplit=6)
        CronSim(" ".join(time), datetime(2026, 1, 1, tzinfo=UTC))
        assert user == "newscrawl"
        assert re.search(r"(?<!\\)%", command) is None  # cron ends the command there
        (words,) = newscrawl_words(command.replace("$(date +\\%F)", "today"))
        check_command(words)


def test_the_command_runs_in_the_project_with_the_settings_of_the_service(tmp_path):
    text = (DEPLOY / "newscrawl.sh").read_text("utf-8")
    assert service()["Service"]["EnvironmentFile"] == "/etc/newscrawl.env"
    program = tmp_path / "venv" / "bin" / "newscrawl"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$PWD|$NEWSCRAWL_DATABASE_URL|$NEWSCRAWL_CONTACT|$*"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "project").mkdir()
    text = text.replace("/etc/newscrawl.env", str(DEPLOY / "newscrawl.env")).replace("/srv/newscrawl", str(tmp_path))
    (tmp_path / "command").write_text(text, encoding="utf-8")

    def said(**variables):
        command = ["sh", str(tmp_path / "command"), "run", "--once"]
        environment = {"PATH": "/usr/bin:/bin", **variables}
        done = subprocess.run(
            command, env=environment, cwd="/", capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        return done.stdout

    database, project = "sqlite:////var/lib/newscrawl/newscrawl.db", tmp_path / "project"
    assert said() == f"{project}|{database}||run --once\n"
    assert said(NEWSCRAWL_CONTACT="a 'b' $c") == f"{project}|{database}|a 'b' $c|run --once\n"
    other = "sqlite:////tmp/other.db"
    assert said(NEWSCRAWL_DATABASE_URL=other) == f"{project}|{other}||run --once\n"


def test_the_container_runs_a_command_that_exists_and_copies_what_is_there():
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    assert re.search(r'^ENTRYPOINT \["newscrawl"\]$', text, re.MULTILINE)
    words = re.search(r"^CMD (\[.*\])$", text, re.MULTILINE)
    assert words is not None
    check_command(yaml.safe_load(words.group(1)))
    copied = {name for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE) for name in line.split()[:-1]}
    for name in copied:
        assert (ROOT / name).exists(), name
    assert {script.name for script in ROOT.glob("hatch_*.py")} <= copied  # pip runs them when it builds the package
    extras = re.search(r"/source\[([\w,]+)\]", text)
    assert extras is not None
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")
    assert all(f"\n{extra} = [" in pyproject for extra in extras.group(1).split(","))
    forced = re.findall(r'^"([\w./]+)" = "newscrawl/', pyproject, re.MULTILINE)
    assert {name.split("/")[0] for name in forced} <= copied


def test_the_compose_file_upgrades_the_database_before_it_crawls():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    for name in ("schema", "crawler"):
        check_command(services[name]["command"])
        build = services[name]["build"]
        assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Containerfile"
    assert services["crawler"]["depends_on"] == {"schema": {"condition": "service_completed_successfully"}}
    assert services["schema"]["depends_on"] == {"database": {"condition": "service_healthy"}}


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path):
    assert set(re.findall(r"NEWSCRAWL_[A-Z_]+", path.read_text("utf-8"))) <= set(CATALOGUE)
