"""Which runs are kept for given scores of the model."""

from __future__ import annotations

import numpy as np

from newscrawl.extraction.learned.choose import choose
from newscrawl.extraction.learned.model import ModelOutput
from newscrawl.page import Page, parse

LINE = "The council met on Tuesday and said that the library will be built beside the river in spring."


def judged(page: Page, **probabilities: float) -> ModelOutput:
    """A judgement by the first word of each run."""
    scores = np.array([probabilities[run.text.split()[0]] for run in page.runs], np.float32)
    return ModelOutput(scores, scores, ())


def texts(page: Page, **probabilities: float) -> list[str]:
    return [page.runs[i].text.split()[0] for i in choose(page, judged(page, **probabilities))]


def test_a_choice_that_leaves_most_of_the_expected_text_is_none() -> None:
    page = parse(f"<p>One {LINE}</p>" + f"<div>Two {LINE}</div>" * 8)
    assert texts(page, One=0.9, Two=0.1) == ["One"]
    assert texts(page, One=0.9, Two=0.5) == []


def test_what_is_expected_in_a_script_known_little_says_nothing() -> None:
    page = parse(f"<p>One {LINE}</p>" + f"<div>Two {LINE}</div>" * 8)
    judgement = judged(page, One=0.9, Two=0.5)
    assert choose(page, ModelOutput(judgement.first, judgement.scores, (), known_script=False)) == (0,)


def test_a_text_that_is_shown_without_scripts_only_is_kept() -> None:
    page = parse(f"<body><p>Sign {LINE}</p><noscript><p>One {LINE}</p><p>Two {LINE}</p></noscript>")
    assert texts(page, Sign=0.7, One=0.9, Two=0.9) == ["One", "Two"]
    assert texts(page, Sign=0.1, One=0.9, Two=0.9) == ["One", "Two"]


def test_less_text_in_noscript_than_outside_is_left_out_and_so_is_one_that_is_not_sure() -> None:
    page = parse(f"<body><p>One {LINE}</p><p>Two {LINE}</p><noscript><p>Enable {LINE}</p></noscript>")
    assert texts(page, One=0.9, Two=0.9, Enable=0.95) == ["One", "Two"]
    page = parse(f"<body><p>One {LINE}</p><noscript><p>Enable {LINE} {LINE}</p></noscript>")
    assert texts(page, One=0.9, Enable=0.7) == ["One"]


def test_choices_of_a_list_and_frames_are_never_text() -> None:
    page = parse(
        f"<body><p>One {LINE}</p><select><option>Two {LINE}</option></select><iframe>Two {LINE} {LINE}</iframe>"
    )
    assert texts(page, One=0.9, Two=0.99) == ["One"]
