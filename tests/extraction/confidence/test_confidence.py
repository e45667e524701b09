"""Confidence is the expected F1 of a text: high where page and algorithms agree, low where much was left out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from newscrawl import extract
from newscrawl.article.extracted import PageRecord, json_schema
from newscrawl.extraction.chain import MIN_CONFIDENCE, resolve, run_chain
from newscrawl.extraction.confidence import confidence_of
from newscrawl.extraction.confidence.features import FEATURES, MEANINGS, OF_MODEL, OF_SELECTION, UNKNOWN, measure
from newscrawl.extraction.confidence.model import ConfidenceModel, features_of, load, pack, unpack
from newscrawl.page import Page, parse
from newscrawl.site_hints import SiteHints

SUBJECTS = "harbour ferry council bridge library school market river station theatre museum hospital".split()


def paragraph(subject: str) -> str:
    return (
        f"The {subject} reopened on Monday after two years of work, and the mayor said that the town had waited long. "
        f"Many came to see the {subject}, which will stay open until late in the evening from next week on."
    )


def page(above: str = "", inside: str = "", head: str = "") -> Page:
    texts = [f"<p>{paragraph(subject)}</p>" for subject in SUBJECTS]
    body = "".join(texts[:6]) + inside + "".join(texts[6:])
    title = "Harbour and ferry: council opens bridge, library and school"
    return parse(
        f"<html lang=en><head><title>{title}</title>{head}</head><body>{above}<article><h1>{title}</h1>{body}</article>"
        f"<footer><p>Imprint</p></footer></body></html>"
    )


OTHER = "".join(f"<div><p>{paragraph(f'other {i}')}</p><a href=/{i}>More on this</a></div>" for i in range(40))


def measures(of: Page, chain: str = "classic") -> dict[str, float]:
    return dict(zip(FEATURES, measure(of, run_chain(of, resolve(chain))), strict=True))


def confidence(of: Page, chain: str = "classic") -> float:
    return confidence_of(of, run_chain(of, resolve(chain)))


def test_a_whole_article_is_more_certain_than_a_part_of_it_or_one_with_other_texts_inside() -> None:
    whole = page()
    found = run_chain(whole, resolve("classic"))
    part = replace(found, runs=(*found.runs[:1], *found.runs[6:7]), topic=None)
    assert confidence(whole) > 0.9
    assert confidence_of(whole, part) < confidence(whole) - 0.1
    assert confidence(page(inside=OTHER)) < confidence(whole)


def test_a_page_without_text_has_no_confidence() -> None:
    for chain in ("classic", "best", "classic-then-best"):
        assert confidence(parse("<p>"), chain) == 0


def test_measures_count_what_was_left_out_around_the_text() -> None:
    whole = page()
    found = run_chain(whole, resolve("classic"))
    kept = found.runs
    plain = measures(whole)
    assert set(plain) == set(MEANINGS)
    assert plain["share_of_prose"] == 1
    assert (plain["prose_above"], plain["prose_below"], plain["prose_within"], plain["gaps"]) == (0, 0, 0, 0)
    part = dict(zip(FEATURES, measure(whole, replace(found, runs=(kept[2], kept[4]))), strict=True))
    lengths = [len(whole.runs[i].text) for i in kept]
    size = lengths[2] + lengths[4]
    assert part["prose_above"] == pytest.approx(sum(lengths[:2]) / size)
    assert part["prose_within"] == pytest.approx(lengths[3] / size)
    assert part["prose_below"] == pytest.approx(sum(lengths[5:]) / size)
    assert part["other_prose"] == pytest.approx((sum(lengths) - size) / size)
    assert part["gaps"] == pytest.approx(1 / 3)
    assert part["below_headline"] == plain["below_headline"] + 2
    assert part["article_recall"] < part["article_precision"] == 1


def test_a_text_from_several_places_of_the_page_is_told_from_one_of_a_single_place() -> None:
    texts = [f"<p>{paragraph(subject)}</p>" for subject in SUBJECTS[:4]]
    both = parse(f"<div><div>{''.join(texts[:3])}</div></div><div><div>{texts[3]}</div></div>")
    found = run_chain(both, resolve("classic"))
    lengths = [len(run.text) for run in both.runs]
    shares = dict(zip(FEATURES, measure(both, replace(found, runs=(0, 1, 2, 3))), strict=True))
    assert shares["one_element"] == pytest.approx(sum(lengths[:3]) / sum(lengths))
    assert dict(zip(FEATURES, measure(both, replace(found, runs=(0, 1, 2))), strict=True))["one_element"] == 1
    assert measures(page())["one_element"] == 1


@pytest.mark.parametrize("ending", [".", "?", "!”", "…", ".)", "。", "؟", "।"])
def test_runs_that_end_like_sentences_are_counted(ending: str) -> None:
    first, second = f"{paragraph('harbour')[:-1]}{ending}", paragraph("ferry")[:-1]
    two = parse(f"<meta charset=utf-8><p>{first}</p><p>{second}</p>".encode())
    found = replace(run_chain(two, resolve("classic")), runs=(0, 1))
    shares = dict(zip(FEATURES, measure(two, found), strict=True))
    assert shares["ended"] == pytest.approx(len(first) / (len(first) + len(second)))


def test_the_stated_text_is_compared_by_its_length() -> None:
    whole = " ".join(map(paragraph, SUBJECTS))
    for body, share in ((whole, 1.0), (whole[: len(whole) // 2], 0.5), (whole * 5, 2.0)):
        stated = json.dumps({"@type": "NewsArticle", "articleBody": body})
        found = measures(page(head=f'<script type="application/ld+json">{stated}</script>'))
        assert found["stated_text"] == pytest.approx(share, abs=0.01)
    assert measures(page())["stated_text"] == UNKNOWN
    broken = '<script type="application/ld+json">{"articleBody": [7, {"articleBody": null}]</script>'
    assert measures(page(head=broken))["stated_text"] == UNKNOWN


def test_only_best_knows_probabilities_and_the_choice_of_classic() -> None:
    classic, best, plain = measures(page()), measures(page(), "best"), measures(page(), "justext")
    assert [classic[name] for name in OF_MODEL] == [0, *[UNKNOWN] * (len(OF_MODEL) - 1)]
    assert all(0 <= best[name] <= 1 for name in (*OF_SELECTION, *OF_MODEL))
    assert best["is_learned"] == 1
    assert {plain[name] for name in (*OF_SELECTION, *OF_MODEL)} == {UNKNOWN}


def test_hints_that_change_nothing_leave_the_confidence_and_others_are_judged_without_the_selection() -> None:
    html = "<title>Harbour</title><article><h1>Harbour</h1>" + "".join(
        f"<p class={subject}>{paragraph(subject)}</p>" for subject in SUBJECTS
    )
    plain = extract(html)
    unchanged = extract(html, hints=SiteHints.of({"drop": ".absent"}))
    changed = extract(html, hints=SiteHints.of({"drop": ".theatre"}))
    assert unchanged.confidence == plain.confidence
    assert changed.extraction.selection is None
    assert 0 < changed.confidence <= 1


def test_the_confidence_is_a_value_of_the_record_and_its_schema() -> None:
    found = extract(f"<h1>Harbour</h1><p>{paragraph('harbour')}</p>" * 4)
    assert PageRecord.of(found).to_dict()["confidence"] == found.confidence
    assert json_schema()["properties"]["confidence"]["maximum"] == 1


def test_the_second_steps_are_asked_only_where_the_confidence_is_low(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = resolve("classic-then-best")
    assert [step.name for step in chain.steps] == [step.name for step in resolve("classic").steps]
    assert [step.name for step in chain.second] == ["learned"]
    classic, best = run_chain(page(), resolve("classic")), run_chain(page(), resolve("best"))
    monkeypatch.setattr("newscrawl.extraction.chain.confidence_of", lambda _page, _found: MIN_CONFIDENCE)
    sure = run_chain(page(), chain)
    assert (sure.runs, sure.trace) == (classic.runs, classic.trace)
    monkeypatch.setattr("newscrawl.extraction.chain.confidence_of", lambda _page, _found: 0.5)
    unsure = run_chain(page(), chain)
    assert (unsure.text, unsure.extractor) == (best.text, "learned")
    first, second = unsure.trace
    assert (first.extractor, first.accepted) == ("boilerpipe-wide+group", False)
    assert first.reason == "long enough, but its confidence is 0.50"
    assert (second.extractor, second.accepted) == ("learned", True)


def test_where_the_learned_extractor_finds_nothing_the_text_of_classic_stays() -> None:
    short = parse("<title>A</title><p>Only a few words stand here.</p>")
    classic, found = run_chain(short, resolve("classic")), run_chain(short, resolve("classic-then-best"))
    assert found.runs == classic.runs
    assert "learned" in [attempt.extractor for attempt in found.trace]


def test_the_second_steps_get_the_tree_filter_of_the_name() -> None:
    assert [step.name for step in resolve("classic-then-best+tree1").all_steps] == [
        "boilerpipe-wide+tree1",
        "justext+tree1",
        "unlinked+tree1",
        "learned+tree1",
    ]


def test_a_model_comes_back_from_its_file_and_one_of_other_features_is_refused() -> None:
    tree = [0, 1.0, -0.25, 0.5]
    model = ConfidenceModel(0.75, (tree,))
    text = pack(model)
    assert pack(unpack(text)) == text
    low, high = [0.0] * len(FEATURES), [2.0] * len(FEATURES)
    assert (unpack(text).expected_f1(low), unpack(text).expected_f1(high)) == (0.5, 1.0)
    assert ConfidenceModel(-3, (tree,)).expected_f1(low) == 0
    with pytest.raises(ValueError, match="train it again"):
        unpack(text.replace("gaps", "other"))


def test_the_model_of_the_package_has_the_form_that_is_measured() -> None:
    model = load()
    assert len(model.trees) <= 250
    assert all(len(list(features_of(tree))) < 10 for tree in model.trees)


def test_equal_pages_have_equal_confidence_and_it_is_rounded() -> None:
    one, other = confidence(page(above=OTHER)), confidence(page(above=OTHER))
    assert one == other == round(one, 4)
    found = run_chain(page(), resolve("classic"))
    assert 0 <= confidence_of(page(), replace(found, topic=None, selection=None)) <= 1
