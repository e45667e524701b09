"""The figures of `python -m benchmarks.crawl`, and the server it crawls."""

from __future__ import annotations

import gzip
import os

import pytest
import warm

from benchmarks.crawl import measure as measuring
from benchmarks.crawl.measure import NO_PIPELINE, Crawled, Load, measure, table
from benchmarks.crawl.server import Packed, make_page


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
