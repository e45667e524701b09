"""`newscrawl extensions` lists all extensions, also if one of them cannot be used."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from distribution import write_module, write_package

from newscrawl.cli.extensions import NOTHING

Run = Callable[..., subprocess.CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """
def every(page):
    return range(len(page.runs))

def advert(signals):
    return []

def shelf(place):
    return None

CHAIN = ["every", "justext"]
WRONG = ["nobody"]
"""


def test_nothing_is_said_where_there_is_nothing(run: Run, tmp_path: Path) -> None:
    done = run("newscrawl", "extensions", cwd=tmp_path)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, NOTHING, "")


def test_all_are_listed_and_each_problem_is_a_line(run: Run, tmp_path: Path) -> None:
    write_module(tmp_path, "ext_listed", SOURCE)
    rules = {"advert": "ext_listed:advert", "lost": "ext_listed:lost"}
    chains = {"publisher": "ext_listed:CHAIN", "odd": "ext_listed:WRONG"}
    write_package(tmp_path, {"chains": chains, "sinks": {"p_shelf": "ext_listed:shelf"}, "verdict_rules": rules})
    done = run(
        *("newscrawl", "extensions"),
        cwd=tmp_path,
        PYTHONPATH=os.pathsep.join([str(ROOT), str(tmp_path)]),
        COLUMNS="200",
        NEWSCRAWL_EXTRACTORS='{"every": "ext_listed:every", "justext": "ext_listed:every"}',
        NEWSCRAWL_CHAINS='{"mine": ["justext"]}',
        NEWSCRAWL_SINKS='{"shelf": "ext_listed:nobody"}',
        NEWSCRAWL_VERDICT_RULES="ext_listed:advert",
    )
    assert done.returncode == 1
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert sorted((row[0], row[1]) for row in rows if row[0] != "verdict") == [
        *(("chain", name) for name in ("mine", "odd", "publisher")),
        *(("extractor", name) for name in ("every", "justext")),
        *(("sink", name) for name in ("p_shelf", "shelf")),
    ]
    assert sorted(row[2] for row in rows if row[0] == "verdict") == ["advert", "advert", "lost"]
    problems = done.stderr.splitlines()
    assert all(line.startswith("newscrawl: ") for line in problems)
    for words in (
        "setting NEWSCRAWL_EXTRACTORS: extractor 'justext' (ext_listed:every): 'justext' is built in",
        "setting NEWSCRAWL_SINKS: sink 'shelf' (ext_listed:nobody): ext_listed has no 'nobody'; correct the setting",
        "package house-rules: verdict rule 'lost' (ext_listed:lost): ext_listed has no 'lost'; update or uninstall",
    ):
        assert sum(words in line for line in problems) == 1, done.stderr
