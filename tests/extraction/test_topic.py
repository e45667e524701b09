"""Whether a text has the topic of headline and description."""

from __future__ import annotations

from collections.abc import Callable

from newscrawl.extraction.chain import Chain, Limits, Step, run_chain
from newscrawl.extraction.stated import Topic
from newscrawl.page import Page

MakePage = Callable[..., Page]

HEAD = "<title>Council builds library beside river</title>"
STORY = "The council builds its library beside the river, and the council pays."
TEASER = "Storms have flooded three villages near the coast, and many people have left."
LOOSE = Limits(0, 0, 0.0)


def test_scripts_without_blanks_are_looked_up_by_pairs_of_characters(page_of: MakePage) -> None:
    page = page_of("<p>市议会将建新图书馆</p><p>台风袭击沿海三村</p>", "<title>市议会建新图书馆</title>")
    topic = Topic(page)
    assert (topic.share([0]) or 0) > 0.8
    assert topic.share([1]) == 0


def _chain(*selections: tuple[int, ...], limits: Limits = LOOSE) -> Chain:
    def keep(runs: tuple[int, ...]) -> Callable[[Page], tuple[int, ...]]:
        return lambda page: runs

    return Chain("test", tuple(Step(name, keep(runs)) for name, runs in zip("ab", selections, strict=True)), limits)


def test_a_text_off_topic_gives_way_to_a_shorter_one_that_is_on_it(page_of: MakePage) -> None:
    page = page_of(f"<p>{TEASER}</p><p>{TEASER}</p><p>{STORY}</p>", HEAD)
    found = run_chain(page, _chain((0, 1), (2,)))
    assert found.extractor == "b"
    assert found.trace[0].reason == "off topic: 0% of the headline's words"
    assert found.problems == ()


def test_a_text_off_topic_stays_where_no_other_is_on_it(page_of: MakePage) -> None:
    page = page_of(f"<p>{TEASER}</p><p>{TEASER} Again.</p><p>{STORY}</p>", HEAD)
    found = run_chain(page, _chain((0,), (0, 1)))
    assert found.extractor == "a"
    assert found.trace[0].reason.endswith("but none is better")


def test_nothing_else_is_tried_where_no_text_of_the_page_is_on_topic(page_of: MakePage) -> None:
    page = page_of(f"<p>{TEASER}</p><p>{TEASER} Again.</p>", HEAD)
    assert [attempt.reason for attempt in run_chain(page, _chain((0,), (0, 1))).trace] == ["long enough"]


def test_a_short_text_stays_where_a_longer_one_adds_other_articles(page_of: MakePage) -> None:
    page = page_of(f"<p>{STORY}</p>{f'<p>{TEASER}</p>' * 3}", HEAD)
    strict = Limits(min_words=30, min_characters=0, min_share=0.0)
    assert run_chain(page, _chain((0,), (0, 1, 2, 3), limits=strict)).runs == (0,)


def test_a_short_text_gives_way_to_a_longer_one_that_goes_on_about_it(page_of: MakePage) -> None:
    page = page_of(f"<p>{STORY}</p><p>The library at the river has a roof, said the council.</p>", HEAD)
    strict = Limits(min_words=15, min_characters=0, min_share=0.0)
    assert run_chain(page, _chain((0,), (0, 1), limits=strict)).runs == (0, 1)
