"""Extractors and chains of users: in chains by name, checked before use, and searched only when a name is unknown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from distribution import install, write_module, write_package

import newscrawl
from newscrawl.config import extensions
from newscrawl.errors import ConfigurationError, ExtensionError, UnknownChainError
from newscrawl.extraction.chain import resolve
from newscrawl.page import Page

STORY = "<p>The council met on Monday and decided to build the bridge that people had asked for.</p>" * 9
HTML = f"<h1>Bridge</h1><div class=story>{STORY}</div><p>Read the news of the town every morning.</p>"
SOURCE = """
def every(page):
    return reversed(range(len(page.runs)))

CHAIN = ("every", "justext")
EMPTY = ()
WRONG = ["nobody"]
"""


def every(page: Page) -> Any:
    return reversed(range(len(page.runs)))


def failing(page: Page) -> Any:
    raise ValueError("no box")


def exiting(page: Page) -> Any:
    raise SystemExit(3)


def beyond(page: Page) -> Any:
    return [0, len(page.runs)]


def before(page: Page) -> Any:
    return [-1, 0]


def nothing(page: Page) -> Any:
    return None


def words(page: Page) -> Any:
    return ["0"]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with an extractor and chains."""
    write_module(tmp_path, "ext_registry", SOURCE)
    chains = {"publisher": "CHAIN", "hollow": "EMPTY", "odd": "WRONG"}
    points = {"extractors": {"every": "ext_registry:every"}}
    write_package(tmp_path, points | {"chains": {name: f"ext_registry:{path}" for name, path in chains.items()}})
    install(monkeypatch, tmp_path)
    return tmp_path


def test_an_extractor_of_a_package_is_a_chain_and_a_step_of_chains(package: Path) -> None:
    assert [step.name for step in resolve("every").steps] == ["every"]
    assert [step.name for step in resolve("every+tree3").steps] == ["every+tree3"]
    assert not resolve("every").finishes
    own = resolve("mine", {"mine": ["every+tree1", "justext"]})
    assert [step.name for step in own.steps] == ["every+tree1", "justext"]
    assert own.finishes


@pytest.mark.parametrize(
    ("name", "words"),
    [("hollow", "give a list of one or more extractor names"), ("odd", "'nobody' is no extractor: .*every")],
)
def test_a_chain_of_a_package_that_cannot_work_is_named_with_its_package(package: Path, name: str, words: str) -> None:
    with pytest.raises(ExtensionError, match=f"package house-rules: chain '{name}' .*{words}"):
        resolve(name)


def test_an_unknown_name_is_told_with_those_of_packages_and_settings(package: Path) -> None:
    with pytest.raises(UnknownChainError, match=r"classic.*every.*mine.*publisher"):
        resolve("evry", {"mine": ["justext"]})


def test_a_package_cannot_take_the_name_of_a_built_in_chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path, {"extractors": {"classic": "ext_registry:every"}})
    install(monkeypatch, tmp_path)
    assert [step.name for step in resolve("classic").steps] == [
        "boilerpipe-wide+group",
        "justext",
        "unlinked+group",
    ]
    with pytest.raises(ExtensionError, match=r"package house-rules: extractor 'classic' .*is built in"):
        resolve("another")


def test_a_chain_cannot_take_the_name_of_a_packages_extractor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path, {"extractors": {"every": "ext_registry:every"}, "chains": {"every": "ext_registry:CHAIN"}})
    install(monkeypatch, tmp_path)
    with pytest.raises(ExtensionError, match=r"chain 'every' .*give it another name"):
        resolve("another")


def test_a_project_names_extractors_by_import_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_module(tmp_path, "ext_own", SOURCE)
    install(monkeypatch, tmp_path)
    own = {"mine": "ext_own:every"}
    assert [step.name for step in resolve("mine", extractors=own).steps] == ["mine"]
    assert [step.name for step in resolve("a", {"a": ["mine", "justext"]}, extractors=own).steps] == ["mine", "justext"]


@pytest.mark.parametrize(
    ("own", "error", "words"),
    [
        ({"justext": "ext:every"}, ExtensionError, "NEWSCRAWL_EXTRACTORS: extractor 'justext' .*is built in"),
        ({"mine": "nowhere_at_all:x"}, ExtensionError, "importing nowhere_at_all failed"),
        ({"mine": 3}, ExtensionError, "give an import path"),
    ],
)
def test_an_own_extractor_that_cannot_work_is_refused_whichever_chain_is_asked_for(
    own: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        resolve("classic", extractors=own)


def test_a_chain_cannot_have_the_name_of_an_own_extractor() -> None:
    with pytest.raises(ConfigurationError, match="chain 'every': an extractor has this name"):
        resolve("classic", {"every": ["justext"]}, extractors={"every": every})


@pytest.mark.parametrize(
    ("extractor", "reason"),
    [
        (failing, "ValueError: no box"),
        (exiting, r"ExtractionError: it calls sys.exit\(3\)"),
        (beyond, "ExtractionError: it gave run 11, and the page has 11 runs"),
        (before, "ExtractionError: it gave run -1, and the page has 11 runs"),
        (nothing, "TypeError: 'NoneType' object is not iterable"),
        (words, "TypeError: 'str' object cannot be interpreted as an integer"),
    ],
)
def test_an_extractor_that_fails_costs_its_turn_and_the_trace_says_why(extractor: Any, reason: str) -> None:
    chains = {"mine": ["broken", "boilerpipe-article"]}
    found = newscrawl.extract(HTML, chain="mine", chains=chains, extractors={"broken": extractor})
    assert found.extractor == "boilerpipe-article"
    assert re.fullmatch(reason, found.trace[0].reason)


def test_packages_are_searched_only_for_an_unknown_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def searched(_path: object) -> None:
        raise AssertionError("packages were searched")

    monkeypatch.setattr(extensions, "_search", searched)
    resolve("classic")
    resolve("best+tree2")
    resolve("mine", {"mine": ["justext", "every"]}, extractors={"every": every})
    with pytest.raises(AssertionError):
        resolve("unknown")
