"""`newscrawl new`: a project made from the wheel alone."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from patience import PATIENCE

from newscrawl.compiled import FORBIDS
from newscrawl.discovery.onboarding.project import make_project
from newscrawl.errors import UsageError

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ROOT = Path(__file__).resolve().parents[2]


def test_a_wheel_makes_a_project_that_crawls(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    pure = {**os.environ, FORBIDS: "1"}  # building the compiled core would take longer than all the rest
    subprocess.run(build, cwd=ROOT, env=pure, check=True, capture_output=True, timeout=PATIENCE)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    installed, project = tmp_path / "installed", tmp_path / "mynews"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(installed)
    # As a console script runs: neither the working directory nor the repository (-S: nor what .pth files add) is on the
    # path, so that nothing stands in for what is missing.
    libraries = sysconfig.get_paths()["purelib"]
    kept_out = {"settings", "spiders", "pipelines", "tests", "benchmarks"}
    assert not [name for name in names if name.split("/")[0] in kept_out]
    assert not [name for name in names if "freshness" in name and name.startswith(("newscrawl/bench", "newscrawl/cli"))]
    tracked = {str(path.relative_to(ROOT)) for path in (ROOT / "newscrawl").rglob("*.py")}
    assert tracked <= set(names), "each module, also those that no command below loads"

    def run(module: str, *arguments: str, cwd: Path = project) -> str:
        done = subprocess.run(
            [sys.executable, "-S", "-P", "-m", module, *arguments],
            cwd=cwd,
            env={
                **os.environ,
                "PYTHONPATH": f"{installed}{os.pathsep}{libraries}",
                "PYTHONDONTWRITEBYTECODE": "",  # the wheel has none, and each command would compile all of it again
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("newscrawl.cli", "new", str(project), cwd=tmp_path)
    run("scrapy", "crawl", "demo", "-a", "max_articles=3")
    with closing(sqlite3.connect(project / "newscrawl.db")) as database:
        assert database.execute("SELECT count(*) FROM articles").fetchone() == (3,)
    assert "demo" in run("newscrawl.cli", "status")


def test_the_settings_of_a_clone_are_refused_in_another_project(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "scrapy", "crawl", "demo"],  # -P: as a console script, without the folder first
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"the settings come from {ROOT}, not from the project of this folder" in line
    assert f"`export PYTHONPATH={project}`" in line


def test_from_a_clone_the_next_command_puts_the_project_first(run: Run, project: Path) -> None:
    done = run("newscrawl", "new", "mine", PYTHONPATH=f"{project}{os.pathsep}{ROOT}")
    assert f"try `cd mine && export PYTHONPATH={project / 'mine'} && scrapy crawl demo`" in done.stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
def test_what_a_crawl_makes_stays_out_of_git(tmp_path: Path) -> None:
    make_project(tmp_path / "mine")
    made = (
        "newscrawl.db",
        "newscrawl.db-wal",
        "other.db",
        "newscrawl.archive/a.warc.gz",
        "archive/a.warc",
        "x.warc",
    )
    for command in (["init", "--quiet"], ["check-ignore", *made, "spiders/demo.py"]):
        done = subprocess.run(
            ["git", *command], cwd=tmp_path / "mine", capture_output=True, text=True, timeout=PATIENCE, check=True
        )
    assert done.stdout.split() == list(made)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / "base.py").write_text("MINE = True\n")
    with pytest.raises(UsageError, match=r"settings/base\.py already"):
        make_project(tmp_path)
    assert [path.name for path in tmp_path.rglob("*.py")] == ["base.py"]
    with pytest.raises(UsageError, match="is a file"):
        make_project(tmp_path / "settings" / "base.py")


def test_a_project_has_all_settings_and_pipelines_and_no_real_site(project: Path, run: Run) -> None:
    for name in ("settings", "pipelines"):
        assert {path.name for path in (project / name).iterdir()} == {path.name for path in (ROOT / name).glob("*.py")}
    assert {path.name for path in (project / "spiders").iterdir()} == {"__init__.py", "demo.py", "generic.py"}
    assert run("scrapy", "list").stdout.split() == ["demo", "generic"]
