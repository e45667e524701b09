"""The report of a small corpus as HTML: every link works, nothing is requested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_corpus import write_corpus

from benchmarks.quality.html_report import as_html, precision_recall, texts_html, write_html
from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.measure import Measured, Scores
from newscrawl.bench.scores import Score
from newscrawl.bench.study import CorpusStudy, Study, make_study

LONG = " ".join(f"The council said number {n} of the bridges would open to all on Monday." for n in range(12))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Three systems on a corpus of articles in two languages, one page with snippets only."""
    rows = [
        {"id": f"page <{n}>", "text": f"{LONG} {n}", "lang": "en" if n else "es-MX", "domain": "www.example.org"}
        for n in range(4)
    ]
    rows.append({"id": "snip", "text": "", "extra": {"with": ["council"], "without": ["cookie"]}})
    corpora = [read_corpus(write_corpus(tmp_path, "town", rows))]
    return make_study(corpora, ("classic", "boilerpipe-wide", "justext"), against="classic", thorough=True, processes=1)


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


def test_texts_beside_each_other_mark_what_differs(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path, "marks", [{"id": "x", "text": f"Lost line.\n{LONG}"}])
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


def test_the_plot_names_every_system() -> None:
    plot = precision_recall({"classic": (0.9, 0.8), "peer/<other>": (0.7, 0.95)})
    assert "classic: precision 0.900, recall 0.800" in plot
    assert "peer/&lt;other&gt;" in plot
