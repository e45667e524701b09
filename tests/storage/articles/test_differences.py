"""The class of a change between two readings of a page, from their texts and titles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.storage.articles.deciding.differences import PageSnapshot, compare, label_changed, label_key, readable

LEAD = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry."
BODY = (
    "Two of its members left the room before the vote was taken. The mayor said that the quay would be ready soon.\n\n"
    "Fishermen had asked for a longer jetty. Their speaker called the plan a gift to the hotels on the other shore."
)
TEXT = f"{LEAD}\n\n{BODY}"
MORE = "On Wednesday the ministry said that it would pay for a third of the work. The rest is to come from a loan."


def change(old, new, **titles):
    return compare(PageSnapshot(old, titles.get("before")), PageSnapshot(new, titles.get("after"))).change


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (TEXT.replace("Tuesday", "Monday"), "correction"),
        (TEXT.replace("four hours", "5 hours"), "correction"),
        (TEXT.replace("Two of its members left the room before the vote was taken. ", ""), "correction"),
        (f"{TEXT}\n\n{MORE}", "addition"),
        (f"{MORE}\n\n{TEXT}", "addition"),
        (TEXT.replace("Tuesday", "Monday") + f"\n\n{MORE} {MORE} {MORE} {MORE}", "addition"),
        (f"{BODY}\n\n{LEAD}", "correction"),
        ("Another text altogether stands here now. It shares nothing with what was read before.", "replaced"),
    ],
)
def test_a_changed_text_has_a_class(new, expected):
    assert change(TEXT, new) == expected


@pytest.mark.parametrize(
    ("old_line", "new_line"),
    [
        ("Updated 5 minutes ago", "Updated 2 hours ago"),
        ("1,204 shares", "1,388 shares"),
        ("Read also: Ferry sails again", "More: Mayor resigns"),
        ("", "Subscribe to our newsletter"),
        ("Advertisement", ""),
        ("Vor 3 Minuten aktualisiert", "Vor 10 Minuten aktualisiert"),
        ("12 комментариев", "40 комментариев"),
    ],
)
def test_lines_around_the_sentences_make_no_version(old_line, new_line):
    old, new = (f"{LEAD}\n\n{line}\n\n{BODY}" for line in (old_line, new_line))
    assert change(old, new) is None
    assert change(old, new, before="Ferry", after="Ferries") == "headline"


def test_a_mended_subheading_is_a_correction():
    assert change(f"{LEAD}\n\nA ferry for Harburton\n\n{BODY}", f"{LEAD}\n\nA ferry for Harbourton\n\n{BODY}") == (
        "correction"
    )


def test_a_list_of_results_is_no_boilerplate():
    old = "Harbour 2 - 1 Shore\n\nQuay 0 - 0 Jetty\n\nFerry 1 - 4 Hotel"
    assert change(old, old.replace("0 - 0", "3 - 0")) == "correction"


@pytest.mark.parametrize(
    "script", ["สภาเมืองท่าประชุมกันเมื่อวันอังคาร", "議会は火曜日に開かれ新しいフェリーについて四時間話し合った。"]
)
def test_texts_without_blanks_are_told_apart(script):
    assert change(script * 5, script * 5 + "市長は" + script) is not None


def test_a_live_text_is_updated_whatever_changes():
    old = PageSnapshot(TEXT, "Live", verdict="live")
    assert compare(old, PageSnapshot(f"12:04 The vote\n\n{TEXT}", "Live", verdict="live")).change == "live update"


@pytest.mark.parametrize("rest", [LEAD, f"{LEAD}\n\nLoading"])
def test_a_page_that_was_cut_off_is_broken(rest):
    assert compare(PageSnapshot(TEXT), PageSnapshot(rest)).broken
    assert not compare(PageSnapshot(rest), PageSnapshot(TEXT)).broken


def test_a_text_that_was_withdrawn_is_not_broken():
    notice = "This report has been withdrawn. It named a company that had no part in the matter, and we regret that."
    assert not compare(PageSnapshot(TEXT), PageSnapshot(notice)).broken


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        (PageSnapshot("", "Ferry sails"), PageSnapshot("", "Ferry sinks"), True),
        (PageSnapshot("", "Ferry sails"), PageSnapshot("", "FERRY  sails!"), False),
        (PageSnapshot("", "Ferry sails"), PageSnapshot("", None), False),
        (PageSnapshot("", "A", ("Ann", "Bob")), PageSnapshot("", "A", ("bob", "Ann")), False),
        (PageSnapshot("", "A", ("Ann",)), PageSnapshot("", "A", ("Ann", "Bob")), True),
        (PageSnapshot("", "A", ("Ann",)), PageSnapshot("", "A"), False),
    ],
)
def test_a_label_changes_with_its_letters_and_names(old, new, changed):
    assert label_changed(old, new) is changed
    if new.title and new.authors:
        assert (label_key(old.title, old.authors) != label_key(new.title, new.authors)) is changed


def test_the_difference_is_readable():
    new = TEXT.replace("Tuesday", "Monday") + f"\n\n{MORE}"
    assert readable(TEXT, new) == [
        f"~ {LEAD.replace('Tuesday', '[-Tuesday-] {+Monday+}')}",
        f"+ {MORE}",
    ]
    assert readable(TEXT, TEXT) == []


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_can_be_compared(old, new):
    compare(PageSnapshot(old, old), PageSnapshot(new, new))
    assert readable(old, old) == []
    readable(old, new)


@pytest.mark.parametrize("line", ["a b c d e f g h. ", "x\n\n", "one word. two\n"])
def test_time_grows_with_the_texts_and_no_faster(line, doubling):
    def texts(size):
        return line * size, "start. " + (line * (size // 2)) + "middle. " + line * (size // 2) + "end"

    def differences(pair):
        old, new = pair
        compare(PageSnapshot(old), PageSnapshot(new))
        readable(old, new)

    doubling(differences, texts, 4_000)
