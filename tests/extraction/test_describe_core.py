"""The line of `newscrawl --version` about the compiled core."""

from __future__ import annotations

import pytest

from newscrawl.compiled import Core
from newscrawl.extraction import kernels


@pytest.fixture
def all_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A core of which every module is in use."""
    for name in ("PAGE_CORE", "BYTES", "CORE"):
        monkeypatch.setattr(kernels, name, Core(kernels))


@pytest.mark.usefixtures("all_there")
def test_it_is_in_use() -> None:
    assert kernels.describe_core() == "compiled core in use"


@pytest.mark.usefixtures("all_there")
def test_a_module_that_is_not_used_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "CORE", Core(None, "built from other sources: install newscrawl again"))
    assert kernels.describe_core() == "no compiled core (built from other sources: install newscrawl again)"
