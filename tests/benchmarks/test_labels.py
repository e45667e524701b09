"""Labels of plots do not overlap, and none is outside of the picture."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from benchmarks.support.plot import Label, apart, lines

DOCS = Path(__file__).resolve().parents[2] / "docs" / "measurements"
TEXT = re.compile(r'<text[^>]*? x="([\d.]+)" y="([\d.]+)" text-anchor="(start|end)">([^<]*)</text>')


def labels_of(svg: str) -> list[Label]:
    found = [Label(float(x), float(y), words, anchor) for x, y, anchor, words in TEXT.findall(svg)]
    assert found
    return found


def overprinted(labels: list[Label]) -> list[tuple[str, str]]:
    return [(one.words, other.words) for one, other in combinations(labels, 2) if one.overlaps(other)]


def test_labels_that_meet_are_moved_apart_and_stay_near() -> None:
    crowded = [Label(10, 100 + 2 * n, f"line {n}") for n in range(5)]
    assert overprinted(crowded)
    moved = apart(crowded, 0, 300)
    assert overprinted(moved) == []
    assert [label.words for label in moved] == [label.words for label in crowded]
    assert max(abs(one.y - other.y) for one, other in zip(moved, crowded, strict=True)) <= 60


def test_labels_that_do_not_meet_stay_where_they_are() -> None:
    free = [Label(10, 100, "left"), Label(300, 100, "right"), Label(10, 130, "below"), Label(290, 102, "end", "end")]
    assert apart(free, 0, 300) == free


def test_labels_at_the_edge_stay_on_the_paper() -> None:
    moved = apart([Label(10, 298, "one"), Label(10, 299, "two"), Label(10, 300, "three")], 0, 300)
    assert overprinted(moved) == []
    assert all(11 <= label.y <= 300 for label in moved)


def test_lines_that_end_at_one_value_have_names_that_can_be_read() -> None:
    names = ["no pipeline, main", "no pipeline, asyncio's own loop, main", "SQLite, main", "PostgreSQL, main"]
    svg = lines({name: [(0, 100), (20_000, 100 + n)] for n, name in enumerate(names)}, "pages", "MB")
    labels = labels_of(svg.replace("&#x27;", "'"))
    assert overprinted(labels) == []
    width = float(re.findall(r'viewBox="0 0 ([\d.]+) ', svg)[0])
    assert all(label.x + label.width <= width for label in labels if label.words in names)


@pytest.mark.parametrize("name", ["freshness-median", "freshness-p95", "ingest-memory"])
def test_plots_in_the_documents_can_be_read(name: str) -> None:
    svg = (DOCS / f"{name}.svg").read_text(encoding="utf-8").replace("&#x27;", "'")
    assert overprinted(labels_of(svg)) == []
