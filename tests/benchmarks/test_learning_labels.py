"""The training labels: which runs are the article, by a gold text or by a few snippets of one."""

from __future__ import annotations

from benchmarks.train.labels import MAX_COST, label_page, label_snippets
from newscrawl.page import Page, parse

LEAD = "The council met on Tuesday evening to decide on the bridge over the river."
SECOND = "Two hundred people came to listen, and most of them stayed until the vote."


def page() -> Page:
    return parse(
        f"<title>Bridge</title><h1>Bridge</h1><p>{LEAD}</p><p>{SECOND}</p>"
        "<figure><figcaption>The old bridge</figcaption></figure><p>Read more about the council and its bridge</p>"
    )


def test_runs_of_the_gold_text_are_the_articles() -> None:
    labels = label_page(page(), f"{LEAD}\n{SECOND}")
    assert labels is not None
    assert labels.target.tolist() == [False, True, True, False, False]
    assert labels.recall == 1


def test_a_caption_and_the_headline_are_out_though_the_gold_has_them() -> None:
    labels = label_page(page(), f"Bridge\n{LEAD}\n{SECOND}\nThe old bridge")
    assert labels is not None
    assert labels.target.tolist() == [False, True, True, False, False]


def test_a_gold_text_that_is_not_on_the_page_teaches_nothing() -> None:
    assert label_page(page(), "Something else was written here by somebody who had read another newspaper.") is None


def test_only_runs_with_a_snippet_count() -> None:
    labels = label_snippets(page(), ["Tuesday  evening", "stayed until"], ["Read more"])
    assert labels is not None
    assert labels.target.tolist() == [False, True, True, False, False]
    assert labels.weight.tolist() == [0, 0.5, 0.5, 0, 1]


def test_of_several_runs_with_a_snippet_the_longest_is_meant() -> None:
    labels = label_snippets(page(), ["bridge"], [])
    assert labels is not None
    assert labels.target.tolist() == [False, True, False, False, False]


def test_a_page_without_any_required_snippet_teaches_nothing() -> None:
    assert label_snippets(page(), ["not there"], ["Read more"]) is None


def test_a_page_costs_no_more_for_what_stands_around_a_short_text() -> None:
    comments = "".join(f"<p>Comment number {i} says something else about it.</p>" for i in range(200))
    labels = label_page(parse(f"<p>{LEAD}</p>{comments}"), LEAD)
    assert labels is not None
    assert abs(float(labels.weight.sum()) - MAX_COST) < 0.001
