"""Small forms of benchmarks: each ends with what it must find."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import click
import pytest
import warm
from click.testing import CliRunner
from patience import PATIENCE

from benchmarks.check import not_ahead
from benchmarks.code_faults import Fault, with_fault
from benchmarks.crawl import measure as measuring
from benchmarks.crawl.measure import NO_PIPELINE, Crawled, Load, measure, table
from benchmarks.crawl.server import Packed, make_page
from benchmarks.machines.__main__ import MUST_BE_NONE, run_round
from benchmarks.machines.rounds import ROUNDS
from benchmarks.mutate import MUTATIONS, Mutation, check_page, demo_pages, mutate
from benchmarks.web.__main__ import main
from newscrawl.bench.corpora import Corpus
from newscrawl.bench.measure import Measured, Scores
from newscrawl.bench.scores import Score, Snippets, harmonic
from newscrawl.bench.study import CorpusStudy, Study


def crawled(main, lag, seconds=10.0):
    return Crawled(1000, seconds, main, main * 2, 1.0, 1000, lag, (100 << 20, 110 << 20), {})


def test_ratios_are_taken_round_by_round_beside_the_crawl_without_a_pipeline():
    rounds = [(NO_PIPELINE, crawled(2.0, 0.01)), ("SQLite", crawled(2.2, 0.02))]
    rounds += [(NO_PIPELINE, crawled(4.0, 0.02)), ("SQLite", crawled(4.4, 0.04))]
    line = table(rounds).splitlines()[-1]
    assert line.startswith("| SQLite | 100 (100-100) |")
    assert "| 1.10 |" in line
    assert "| 2.00 |" in line
    assert line.endswith("| 100, 110 |")


def test_what_the_cores_allow_counts_crawl_and_server():
    cores = len(os.sched_getaffinity(0))
    assert crawled(2.0, 0.01).ceiling == cores / (5.0 / 1000)


def test_a_page_is_as_large_as_a_news_page_and_always_the_same():
    page = make_page(1, 2)
    assert page == make_page(1, 2) != make_page(1, 3)
    assert 60_000 < len(page) < 200_000


def test_a_page_is_packed_as_one_gzip_member_with_its_own_text():
    page = make_page(1, 2)
    opened = gzip.decompress(Packed(page).with_text(b"a text of its own"))
    assert opened == page.replace(b"OWN-TEXT", b"a text of its own") != page


@pytest.mark.process
def test_a_small_crawl_is_measured_with_and_without_the_pipeline(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "subprocess", warm.AS_SUBPROCESS)
    found = dict(measure(Load(sites=4, pages=10), {"SQLite": f"sqlite:///{tmp_path}/{{}}.db"}, rounds=1))
    names = (NO_PIPELINE, "SQLite")
    assert {name: one.pages for name, one in found.items()} == dict.fromkeys(names, 40)
    assert found["SQLite"].outcomes["outcome/inserted"] == 40
    assert all(one.cpu_all >= one.cpu_main > 0 and one.cpu_server > 0 for one in found.values())
    assert all(one.doubled == 0 for one in found.values())


ROOT: Final = Path(__file__).resolve().parents[2]
KILLS: Final = 17
"""Thirteen points and a random moment; four fifths of the rounds are for these."""


@pytest.mark.parametrize("kind", [[], pytest.param(["--postgresql"], marks=pytest.mark.postgresql)])
def test_archive_articles_feed_and_index_agree_after_every_kill(kind: list[str]) -> None:
    """In a process of its own, since it forks; on SQLite once at each point."""
    command = [sys.executable, "-m", "benchmarks.kill.stories", *kind, "--rounds", "4" if kind else str(KILLS)]
    done = warm.run(command, cwd=ROOT, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_thirty_replicas_of_twenty_two_habits_are_found_out() -> None:
    done = warm.run(
        [sys.executable, "-m", "benchmarks.onboarding", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert len(results) == 30
    assert len({result["habit"] for result in results}) >= 22
    assert [result["name"] for result in results if not result["titles_right"]] == []
    assert sum(result["found"] for result in results) >= 28
    assert sum(result["accepted"] for result in results) >= 0.99 * sum(result["shapes"] for result in results)


def test_each_screen_is_measured() -> None:
    done = CliRunner().invoke(main, ["--sites", "6", "--articles", "5", "--views", "2"])
    assert done.exit_code == 0, done.output
    lines = [line for line in done.output.splitlines() if "median" in line]
    assert len(lines) == 14


pytestmark = pytest.mark.process


def test_two_machines_send_no_request_at_once_too_close_or_inside_a_pause(postgresql: str, tmp_path: Path) -> None:
    wanted = replace(ROUNDS["kill -9"], machines=2)
    figures = run_round(wanted, 4, 24.0, tmp_path, postgresql)
    assert {must: figures[must] for must in MUST_BE_NONE} == dict.fromkeys(MUST_BE_NONE, 0), (
        tmp_path / "problems.txt"
    ).read_text("utf-8")
    assert figures["requests"] > 10
    assert figures["tracebacks"] == figures["ended by itself"] == 0


def scores(precision: float, recall: float) -> Scores:
    return Scores(Score(precision, recall, harmonic(precision, recall)), snippets=Snippets(8, 2, 1, 9))


def study(name: str = "small", digest: str = "d1", **systems: Scores) -> CorpusStudy:
    named: Mapping[str, Scores] = {key.replace("_", "-"): value for key, value in systems.items()}
    return CorpusStudy(Corpus(name, (), digest), (Measured("one", "en", dict(named), "example.org"),), "classic")


def test_the_gate_wants_classic_ahead_of_plain_boilerpipe() -> None:
    def both(classic: Scores, plain: Scores) -> Study:
        return Study((study(classic=classic, boilerpipe_article=plain),), (), "classic")

    assert not_ahead(both(scores(0.9, 0.9), scores(0.8, 0.8))) == []
    (line,) = not_ahead(both(scores(0.9, 0.9), scores(0.95, 0.95)))
    assert "not ahead of plain Boilerpipe: 0.900 to 0.950" in line
    assert not_ahead(both(scores(0.9, 0.9), scores(0.95, 0.95)), allowed=0.06) == []


SOURCE = """
class Store:
    def ended(self):
        self.session.commit()


def found(names, name):
    return name not in names
"""


def test_a_fault_is_put_into_its_function() -> None:
    fault = Fault(1, "", "store.py", "found", "comparison", "    return name not in names", "    return name in names")
    assert with_fault(SOURCE, fault) == SOURCE.replace("name not in names", "name in names")


def test_a_fault_whose_line_has_moved_is_refused() -> None:
    fault = Fault(7, "", "store.py", "Store.ended", "comparison", "    return name not in names", "pass")
    with pytest.raises(click.ClickException, match=r"fault 7: Store.ended of store.py has no line"):
        with_fault(SOURCE, fault)


PAGES = demo_pages()
BODY = b"".join(body for _, body in PAGES[:1] if isinstance(body, bytes))


@pytest.mark.parametrize("number", range(12))
def test_a_broken_page_breaks_nothing_and_gives_the_same_twice(number: int) -> None:
    assert check_page(number, PAGES, seed=2) == []


def test_a_seed_always_breaks_the_same() -> None:
    assert mutate(BODY, Random("1/5")) == mutate(BODY, Random("1/5"))
    assert mutate(BODY, Random("1/5")) != mutate(BODY, Random("1/6"))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_each_mutation_takes_any_bytes_and_breaks_a_page(mutation: Mutation) -> None:
    for body in (b"", b"x", b"<p>", b"\xff\xfe\x00"):
        assert isinstance(mutation(body, Random(1)), bytes)
    assert any(mutation(BODY, Random(seed)) != BODY for seed in range(5))
