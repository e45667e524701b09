"""The line of `newscrawl --version` about the compiled core."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import newscrawl
from newscrawl.compiled import Core
from newscrawl.extraction import kernels

PACKAGE = Path(newscrawl.__file__).parent


@pytest.fixture
def all_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A core of which every module is in use, and no function."""
    for name in ("PAGE_CORE", "BYTES", "CORE"):
        monkeypatch.setattr(kernels, name, Core(kernels))


@pytest.mark.usefixtures("all_there")
def test_it_is_in_use() -> None:
    assert kernels.describe_core() == "compiled core in use"


@pytest.mark.usefixtures("all_there")
def test_a_module_that_is_not_used_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "CORE", Core(None, "built from other sources: install newscrawl again"))
    assert kernels.describe_core() == "no compiled core (built from other sources: install newscrawl again)"


@pytest.mark.usefixtures("all_there")
def test_a_function_that_is_not_used_is_told_with_the_reason() -> None:
    kernels.BYTES.refused.append("is_utf8: gives something else than its reference")
    kernels.CORE.refused.append("fold: ValueError: no")
    said = "is_utf8: gives something else than its reference; fold: ValueError: no"
    assert kernels.describe_core() == f"compiled core in use, but not {said}"


def test_all_modules_that_choose_are_known() -> None:
    """Else a function that is refused there would be missing in what the version says."""
    chooses = re.compile(r"^(?:\w+: Final = | {4})choose\(", re.MULTILINE)
    choosing = {
        ".".join(("newscrawl", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in PACKAGE.rglob("*.py")
        if chooses.search(path.read_text("utf-8"))
    }
    assert choosing == set(kernels.CHOOSERS)
