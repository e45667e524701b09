"""The report of a small corpus as Markdown, JSON and HTML: the figures are right, every link works, nothing is
requested."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.quality.html_report import as_html, texts_html, write_html
from newscrawl.bench.quality.measure import Measured, Scores
from newscrawl.bench.quality.report import as_json, markdown_report, signed, three
from newscrawl.bench.quality.study import CorpusStudy, Study, language_of, make_study, site_of
from newscrawl.bench.scoring.intervals import Interval
from newscrawl.bench.scoring.scores import EMPTY_OUTPUT, Score, harmonic
from newscrawl.bench.svg import POINTS, precision_recall, sorted_pages

LONG = " ".join(f"The council said number {n} of the bridges would open to all on Monday." for n in range(12))


@pytest.fixture
def study(make_corpus: Callable[..., Path]) -> Study:
    """Three systems on a corpus of articles in two languages, one page with snippets only."""
    rows = [
        {"id": f"page <{n}>", "text": f"{LONG} {n}", "lang": "en" if n else "es-MX", "domain": "www.example.org"}
        for n in range(4)
    ]
    rows.append({"id": "snip", "text": "", "extra": {"with": ["council"], "without": ["cookie"]}})
    corpora = [read_corpus(make_corpus("town", rows))]
    return make_study(corpora, ("classic", "boilerpipe-wide", "justext"), against="classic", thorough=True, processes=1)


def test_markdown_has_every_part(study: Study) -> None:
    report = markdown_report(study)
    headings = re.findall(r"^### (.*)$", report, re.MULTILINE)
    assert headings == [
        "All corpora",
        "F1 minus that of `classic`",
        "Snippets",
        "By language",
        "Sites with the lowest F1 of `classic` (3 pages or more)",
        "town (4 pages)",
    ]
    assert "Spanish (1)" in report
    assert "ROUGE-LSum F1" in report
    assert "| example.org | 4 |" in report


def test_json_has_the_figures_of_every_page(study: Study) -> None:
    found = json.loads(json.dumps(as_json(study, {"date": "2026-01-02"})))
    corpus = found["corpora"]["town"]
    assert corpus["pages"] == len(corpus["by_page"]) == 5
    assert corpus["digest"]
    wide = corpus["systems"]["boilerpipe-wide"]
    assert wide["shingles"]["f1"] == 1
    assert set(wide) >= {"shingles", "characters", "rouge", "snippets", "f1_interval", "difference"}
    assert corpus["by_page"][0]["scores"]["classic"]["shingles"]["f1"] == 1
    assert list(found["languages"]) == ["en", "es"]


def test_html_loads_nothing_and_its_links_lead_somewhere(study: Study, tmp_path: Path) -> None:
    def worse(page: Measured) -> Measured:
        return Measured(page.page, page.language, {**page.systems, "classic": low}, page.domain)

    low = Scores(Score(0.5, 0.5, 0.5))
    corpus = study.corpora[0]
    changed = CorpusStudy(corpus.corpus, tuple(worse(page) for page in corpus.texts), "classic")
    out = tmp_path / "report.html"
    write_html(Study((changed,), study.systems, "classic"), out, heading="<Quality>", facts={"date": "today"}, worst=2)
    html = out.read_text(encoding="utf-8")
    assert "<script" not in html
    assert re.findall(r"""(?:src|href)=["'](?:https?:)?//""", html) == []
    assert "&lt;Quality&gt;" in html
    links = re.findall(r'href="([^"#]+)"', html)
    assert len(links) == 4  # two pages, each explained and beside its gold text
    for link in links:
        view = (tmp_path / link).read_text(encoding="utf-8")
        assert "<script" not in view
        assert "default-src" in view


def test_texts_beside_each_other_mark_what_differs(make_corpus: Callable[..., Path]) -> None:
    folder = make_corpus("marks", [{"id": "x", "text": f"Lost line.\n{LONG}"}])
    (folder / "pages" / "x.html").write_text(f"<p>{LONG}</p><p>{LONG[:-1]} &lt;b&gt;</p>", encoding="utf-8")
    (page,) = read_corpus(folder).pages
    html = texts_html(page, "boilerpipe-wide")
    assert "<p class='lost'>Lost line.</p>" in html
    assert "&lt;b&gt;</p>" in html.partition("class='extra'")[2]
    assert f"<p>{LONG}</p>" in html


def test_our_markdown_becomes_html() -> None:
    html = as_html("### A `b`\n\n| x | y |\n| --- | --- |\n| **1** | a \\| <b> |\n\nWords.")
    assert html.startswith("<h3>A <code>b</code></h3>")
    assert "<tr><th>x</th><th>y</th></tr><tr><td><b>1</b></td><td>a | &lt;b&gt;</td></tr>" in html
    assert html.endswith("<p>Words.</p>")


def test_plots_name_every_system_and_stay_small() -> None:
    plot = precision_recall({"classic": (0.9, 0.8), "peer/<other>": (0.7, 0.95)})
    assert "classic: precision 0.900, recall 0.800" in plot
    assert "peer/&lt;other&gt;" in plot
    line = re.search(r'points="([^"]*)"', sorted_pages({"classic": [n / 5000 for n in range(5000)]}))
    assert line is not None
    assert len(line[1].split()) == POINTS


def test_differences_are_bold_only_where_they_are_sure() -> None:
    assert signed(Interval(-0.02, -0.03, -0.01)) == "**-.020** [-.030, -.010]"
    assert signed(Interval(0.01, -0.01, 0.03)) == "+.010 [-.010, +.030]"
    assert signed(None) == ""
    assert three(0.99951) == "1.000"


def test_languages_and_sites_are_those_of_the_page() -> None:
    page = Measured("x", "zh-CN", {}, "news.bbc.co.uk")
    assert (language_of(page), site_of(page)) == ("zh", "bbc.co.uk")
    unknown = Measured("x", None, {}, None)
    assert (language_of(unknown), site_of(unknown)) == ("?", "?")


def test_the_worst_pages_come_first(make_corpus: Callable[..., Path]) -> None:
    corpus = read_corpus(make_corpus())
    values = {"bridge": 0.7, "harbour": 0.2, "market": 1.0}
    measured = tuple(
        Measured(name, None, {"classic": Scores(Score(v, v, harmonic(v, v)))}, None) for name, v in values.items()
    )
    worst = CorpusStudy(corpus, measured, "classic").worst("classic", 5)
    assert [page.id for page, _ in worst] == ["harbour", "bridge"]
    assert EMPTY_OUTPUT.f1 == 0


def test_a_corpus_that_weights_were_learned_from_is_marked(make_corpus: Callable[..., Path]) -> None:
    corpora = [read_corpus(make_corpus(name)) for name in ("naeb", "other")]
    study = make_study(corpora, ("classic", "best"), against="classic", thorough=False, processes=1)
    report = markdown_report(study)
    assert "| F1 | naeb † | other |" in report
    assert "\n\n† The weights of `best`" in report
    study = make_study(corpora, ("classic",), against="classic", thorough=False, processes=1)
    assert "†" not in markdown_report(study)
