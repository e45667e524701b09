"""Runs filters of the clean-up over all runs of a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.cleanup.draft import run_filters
from newscrawl.extraction.cleanup.finish import FINISH
from newscrawl.page import Page


@pytest.fixture
def left() -> Callable[..., list[str]]:
    """The texts that the filters of `FINISH` with these names leave."""

    def left_by(page: Page, *names: str) -> list[str]:
        filters = [one for one in FINISH if one.name in names]
        assert filters
        return [page.runs[i].text for i in run_filters(page, range(len(page.runs)), filters)]

    return left_by
