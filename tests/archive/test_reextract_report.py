"""The report shows two texts side by side."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from newscrawl.archive.reextract.report import _marked


def test_what_only_one_text_has_is_marked() -> None:
    assert _marked("It rains here today.", "It snows here today.") == (
        "It <del>rains </del>here today.",
        "It <ins>snows </ins>here today.",
    )


REPETITIVE = {
    "one word": lambda n: ("rain " * n, "rain " * (n // 2) + "sun " + "rain " * (n // 2)),
    "words in turn": lambda n: ("rain sun " * n, "sun rain rain " * n),
    "rows of a table": lambda n: ("win loss 1 0 draw " * n, "win 0 loss draw 1 " * n),
}


@pytest.mark.parametrize("shape", REPETITIVE)
def test_a_text_that_repeats_itself_ends_soon_and_stays_whole(shape: str, grows_evenly: Callable[..., None]) -> None:
    old, new = REPETITIVE[shape](300)
    left, right = _marked(old, new)
    assert re.sub("</?del>", "", left) == old
    assert re.sub("</?ins>", "", right) == new
    grows_evenly(lambda texts: _marked(*texts), REPETITIVE[shape], 1_200)
