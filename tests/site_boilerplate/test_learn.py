"""A line is boilerplate if enough different stories of the site have it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.errors import UsageError
from newscrawl.extraction.site_boilerplate import NO_BOILERPLATE, SiteBoilerplate
from newscrawl.extraction.site_boilerplate.epoch import MAX_LINES, key_of
from newscrawl.extraction.site_boilerplate.learn import MIN_STORIES, RecentText, changed_share, learn

RULES = "Please keep to the rules when you comment: be polite and do not advertise."


def story(number: int, *repeated: str, page: int | None = None) -> RecentText:
    own = [f"The council of town {number} met on day {number} and decided matter {part}." for part in range(3)]
    text = "\n".join([*own, *repeated])
    return RecentText.of(number if page is None else page, text, map(key_of, text.split("\n")), f"Title {number}")


def lines_of(texts: list[RecentText], previous: SiteBoilerplate = NO_BOILERPLATE) -> SiteBoilerplate:
    return learn(texts, previous)


def test_a_line_on_four_stories_is_boilerplate() -> None:
    learned = lines_of([story(number, RULES) for number in range(4)])
    assert (learned.epoch, learned.stories, dict(learned.counts)) == (1, 4, {key_of(RULES): 4})


def test_a_line_on_three_stories_is_not() -> None:
    assert not lines_of([story(number, RULES) for number in range(3)])


def test_versions_of_a_page_count_once() -> None:
    assert not lines_of([story(number, RULES, page=number % 3) for number in range(9)])


def test_a_print_page_and_near_copies_count_with_their_story() -> None:
    texts = [story(number % 3, RULES, f"Address {number}", page=number) for number in range(9)]
    assert not lines_of(texts)


def test_long_boilerplate_does_not_make_one_story_of_all_pages() -> None:
    rules = [f"{RULES} This is rule {number} of our rules for comments." for number in range(40)]
    assert len(lines_of([story(number, *rules) for number in range(6)])) == 40


def test_a_line_on_few_of_many_stories_is_repeated_on_purpose() -> None:
    helpline = "If you are affected by this story, call the helpline: it is free and open day and night."
    texts = [story(number, *([helpline] if number < 10 else ())) for number in range(100)]
    assert not lines_of(texts)


@pytest.mark.parametrize("line", ["(Reuters)", "Quelle: dpa", "Источник: ТАСС", "* * *", "12", "新华社"])
def test_credits_of_agencies_and_separators_are_never_boilerplate(line: str) -> None:
    assert not lines_of([story(number, line) for number in range(8)])


def test_a_line_that_recent_pages_lack_stays_and_one_on_too_few_goes() -> None:
    old = SiteBoilerplate.of(4, 50, {key_of("gone from the site"): 30, key_of(RULES): 30})
    learned = lines_of([story(number, *([RULES] if number == 1 else ())) for number in range(20)], old)
    assert (learned.epoch, dict(learned.counts)) == (5, {key_of("gone from the site"): 12})


def test_an_archive_with_few_stories_forgets_nothing() -> None:
    old = SiteBoilerplate.of(4, 50, {key_of(RULES): 30})
    for texts in ([], [story(1, RULES)], [story(number, *([RULES] if number == 1 else ())) for number in range(19)]):
        learned = lines_of(texts, old)
        assert learned.counts.keys() == {key_of(RULES)}
        assert changed_share(texts, old, learned) == 0.0


def test_equal_pages_give_an_equal_epoch_in_any_order() -> None:
    texts = [story(number, RULES) for number in range(9)]
    assert lines_of(texts) == lines_of(texts[::-1])
    assert lines_of(texts).digest == lines_of(texts[::-1]).digest


def test_the_share_of_changed_pages_counts_what_chains_select() -> None:
    texts = [story(number, RULES) for number in range(4)] + [story(number) for number in range(4, 8)]
    assert changed_share(texts, NO_BOILERPLATE, lines_of(texts)) == 0.5
    assert changed_share(texts, lines_of(texts), lines_of(texts)) == 0


def test_an_epoch_is_bounded_and_refuses_damage() -> None:
    learned = SiteBoilerplate.of(1, 9, {number: number % 7 for number in range(3 * MAX_LINES)})
    assert len(learned) == MAX_LINES
    assert len(learned.lines) < 300_000
    with pytest.raises(UsageError, match="newscrawl learn"):
        SiteBoilerplate(1, 9, b"damaged")


NOTE = "This paper belongs to its readers, who may write to us on any day."


def text(number: int, *lines: str, page: int | None = None, title: str | None = None) -> RecentText:
    written = "\n".join(lines)
    return RecentText.of(number if page is None else page, written, map(key_of, lines), title or f"Title {number}")


def own(number: int, parts: int = 3) -> list[str]:
    return [
        f"In town {number} the council decided matter {number * 10 + part} after a debate." for part in range(parts)
    ]


def learned(texts: Sequence[RecentText], line: str = NOTE) -> int:
    """On how many stories the line stands, 0 where it is no boilerplate."""
    return learn(texts, NO_BOILERPLATE).counts.get(key_of(line), 0)


@pytest.mark.parametrize(
    ("having", "stories", "counted"),
    [(3, 3, 0), (4, 4, 4), (4, 20, 4), (4, 21, 0), (19, 100, 0), (20, 100, 20), (100, 100, 100)],
)
def test_a_line_stands_on_four_stories_and_on_a_fifth_of_them(having: int, stories: int, counted: int) -> None:
    texts = [text(number, *own(number), *([NOTE] if number < having else ())) for number in range(stories)]
    assert learned(texts) == counted


@pytest.mark.parametrize(
    ("written", "counted"),
    [
        ([NOTE.upper(), f"  {NOTE}\t", NOTE, NOTE], 4),
        ([f"{NOTE} One.", f"{NOTE} Two.", NOTE, NOTE], 0),
        ([NOTE, NOTE, NOTE, f"{NOTE}\n{NOTE}\n{NOTE}"], 4),
    ],
    ids=["case and blanks do not count", "a part of a line does", "a line counts once a story"],
)
def test_a_line_is_compared_whole(written: list[str], counted: int) -> None:
    assert learned([text(n, *own(n), *line.split("\n")) for n, line in enumerate(written)]) == counted


@pytest.mark.parametrize(
    ("line", "is_learned"),
    [
        ("Quelle: Reuters", False),
        ("Material of Reuters may not be published, broadcast, rewritten or redistributed without permission.", True),
        ("- 7 -", False),
        ("x", False),
        ("ok", True),
    ],
)
def test_a_credit_is_a_short_line_and_a_line_has_letters(line: str, *, is_learned: bool) -> None:
    assert bool(learned([text(n, *own(n), line) for n in range(6)], line)) is is_learned


def test_pages_without_a_line_of_their_own_are_one_story_if_they_have_one_title() -> None:
    rules = [f"{NOTE} Rule {number} of forty." for number in range(40)]
    same = [text(number, *rules, title="Terms of use") for number in range(6)]
    assert not learn(same, NO_BOILERPLATE)
    assert len(learn([text(number, *rules) for number in range(6)], NO_BOILERPLATE)) == 40


def test_counts_of_lines_that_stay_keep_their_share_of_the_stories() -> None:
    old = SiteBoilerplate.of(7, 200, {key_of("gone"): 50, key_of("rare"): 1})
    new = learn([text(number, *own(number), NOTE) for number in range(40)], old)
    assert (new.epoch, new.stories) == (8, 40)
    assert dict(new.counts) == {key_of("gone"): 10, key_of("rare"): 1, key_of(NOTE): 40}


LINES = [NOTE, "Read on with a subscription.", "(Reuters)", "* * *", *(f"Line {n} of the story." for n in range(6))]
SITES = st.lists(
    st.tuples(st.integers(0, 8), st.lists(st.sampled_from(LINES), max_size=6), st.sampled_from(["One", "Two", None])),
    max_size=30,
)


@settings(max_examples=examples(150), deadline=None)
@given(SITES, st.randoms(use_true_random=False))
def test_of_any_site_the_lines_stand_on_enough_pages_and_the_order_does_not_matter(
    site: list[tuple[int, list[str], str | None]], random: Random
) -> None:
    texts = [text(n, *own(page, 1), *lines, page=page, title=title) for n, (page, lines, title) in enumerate(site)]
    found = learn(texts, NO_BOILERPLATE)
    for line in LINES:
        pages = {page for page, lines, _ in site if line in lines}
        assert key_of(line) not in found.counts or len(pages) >= MIN_STORIES
        assert found.counts.get(key_of(line), 0) <= len(pages)
    assert not {key_of("(Reuters)"), key_of("* * *")} & found.counts.keys()
    shuffled = random.sample(texts, len(texts))
    assert learn(shuffled, NO_BOILERPLATE) == found
    again = learn(texts, found)
    assert again.counts == found.counts
    assert changed_share(texts, found, again) == 0.0
