"""The benchmark of hints reads its sites, and counts pages by what the hint does to their score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.site_hints.__main__ import report
from benchmarks.site_hints.measure import NOW, PageScores, SiteScores, measure, of_domain, read_sites
from newscrawl.bench.corpora import GoldPage
from newscrawl.errors import UsageError

SENTENCE = "The council of district {0} met on Tuesday evening and spoke for four hours about bridge {0}."
SENTENCES = [SENTENCE.format(number) for number in range(9)]
BOX = "<p class=box>Our readers pay for this paper, and a subscription costs four crowns a month.</p>"
SITE = '[[site]]\ncorpus = "made"\ndomain = "paper.example"\nfault = "a box"\nhints.drop = ".box"\n'


def test_the_sites_have_hints_that_can_be_used() -> None:
    sites = read_sites()
    assert len(sites) == 20
    assert all(site.hints.at(NOW) for site in sites)
    with pytest.raises(UsageError, match="drop"):
        read_sites(SITE.replace(".box", "..box"))


def test_a_page_with_the_fault_is_one_that_the_hint_changes(tmp_path: Path) -> None:
    corpus = tmp_path / "corpora" / "made"
    (corpus / "pages").mkdir(parents=True)
    story = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    for name, html in {"a": f"<h1>x</h1>{story}{BOX}{story}", "b": story}.items():
        (corpus / "pages" / f"{name}.html").write_text(f"<article>{html}</article>")
    rows = [{"id": name, "url": f"https://paper.example/{name}", "text": "\n".join(SENTENCES)} for name in "ab"]
    (corpus / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (scores,) = measure(read_sites(SITE), tmp_path)
    assert [(page.page, page.is_changed) for page in scores.pages] == [("a", True), ("b", False)]
    assert (scores.better, scores.worse, scores.mends) == (1, 0, True)
    assert "| paper.example (made) | a box | 2 | 1 | 1 | 0 |" in report([scores])


def test_a_site_is_mended_if_three_quarters_are_better_and_none_is_worse() -> None:
    (site,) = read_sites(SITE)

    def mends(*changes: float) -> bool:
        return SiteScores(site, tuple(PageScores("p", 0.5, 0.5 + change, True) for change in changes)).mends

    assert mends(0.1, 0.1, 0.1, 0.0)
    assert not mends(0.1, 0.1, 0.0, 0.0)
    assert not mends(0.1, 0.1, 0.1, -0.1)
    assert not mends()


def test_only_pages_of_the_domain_with_a_text_count() -> None:
    pages = [
        GoldPage("b", Path("b"), "Some words of it", url="https://www.paper.example/b"),
        GoldPage("a", Path("a"), "Some words of it", domain="paper.example"),
        GoldPage("c", Path("c"), "", url="https://paper.example/c"),
        GoldPage("d", Path("d"), "Some words of it", url="https://other.example/d"),
    ]
    assert [page.id for page in of_domain(pages, "paper.example")] == ["a", "b"]
