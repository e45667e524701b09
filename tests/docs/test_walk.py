"""The walk of one page through the code (docs/explanation/architecture.md) names functions that exist, each once."""

from __future__ import annotations

import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "architecture.md"
_LINE = re.compile(r"^- `([\w/]+)\.py`: (.+)$", re.MULTILINE)


def walk() -> list[tuple[str, str]]:
    """Module and function of each step, in order."""
    lines = _LINE.findall(PAGE.read_text(encoding="utf-8").partition("## One page through the code")[2])
    return [
        (module.replace("/", "."), function) for module, text in lines for function in re.findall(r"`([\w.]+)`", text)
    ]


def test_the_walk_goes_from_the_response_to_the_feed() -> None:
    steps = walk()
    assert steps[0] == ("crawling.spider.news_spider", "NewsSpider.read_article")
    assert ("storage.engine.sql", "insert_new") in steps
    assert steps[-1] == ("storage.feed.changes", "append_rows")
    assert len(steps) == len(set(steps)) > 60


@pytest.mark.parametrize(("module", "function"), walk())
def test_a_function_of_the_walk_exists(module: str, function: str) -> None:
    assert callable(reduce(getattr, function.split("."), import_module(f"newscrawl.{module}")))
