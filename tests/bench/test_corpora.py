"""Corpora, and the report of a small one as Markdown and JSON."""

from __future__ import annotations

import io
import json
import re
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from newscrawl.bench.corpora import find_corpora, read_corpus
from newscrawl.bench.measure import Measured, Scores
from newscrawl.bench.report import as_json, markdown_report
from newscrawl.bench.scores import EMPTY_OUTPUT, Score, harmonic
from newscrawl.bench.study import CorpusStudy, Study, make_study
from newscrawl.errors import CorpusError

Make = Callable[..., Path]


def test_a_folder_gives_its_pages_in_the_order_of_the_gold_file(make_corpus: Make) -> None:
    corpus = read_corpus(make_corpus())
    assert corpus.name == "small"
    assert [page.id for page in corpus.pages] == ["bridge", "harbour", "market"]
    assert corpus.pages[0].body() == b"<html><body><p>The bridge opened on Monday.</p></body></html>"
    assert (corpus.pages[0].language, corpus.pages[0].title) == ("en", "Bridge")
    assert (corpus.pages[1].authors, corpus.pages[1].published) == (("Ana Example",), "2026-01-02")


def test_the_gold_text_is_the_one_without_headline_where_there_is_one(make_corpus: Make) -> None:
    texts = [page.text for page in read_corpus(make_corpus()).pages]
    assert texts == ["The bridge opened on Monday.", "The harbour stays closed.", "The market moves."]


def test_an_archive_reads_like_the_folder_and_is_unpacked_once(make_corpus: Make, pack: Make, tmp_path: Path) -> None:
    folder = make_corpus()
    archive, cache = pack(folder), tmp_path / "cache"
    first = read_corpus(archive, cache=cache)
    assert [page.text for page in first.pages] == [page.text for page in read_corpus(folder).pages]
    (first.pages[0].path).write_bytes(b"left from the first time")
    assert read_corpus(archive, cache=cache).pages[0].body() == b"left from the first time"
    assert len(list(cache.iterdir())) == 1


def test_a_sample_is_always_the_same_and_grows_by_adding(make_corpus: Make) -> None:
    folder = make_corpus(rows=[{"id": f"page-{i}", "text": "a text"} for i in range(50)])
    corpus = read_corpus(folder)
    ten, twenty = corpus.sample(10), corpus.sample(20)
    assert len(ten.pages) == 10
    assert read_corpus(folder, limit=10) == ten
    assert set(ten.pages) < set(twenty.pages)
    assert [page for page in corpus.pages if page in ten.pages] == list(ten.pages)
    assert corpus.sample(None) == corpus.sample(50) == corpus


def test_a_corpus_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"no corpus at .*nowhere: neither a folder nor an archive nowhere\.tar\.xz"):
        read_corpus(tmp_path / "nowhere")
    with pytest.raises(CorpusError, match=r"gold\.jsonl is missing"):
        read_corpus(tmp_path)


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "line 1 is not JSON"), ("[]", "is not an object with an id"), ('{"id": "../x"}', "is no file name")],
)
def test_a_broken_gold_file_is_refused_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "gold.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(CorpusError, match=message):
        read_corpus(tmp_path)


def test_a_truncated_archive_is_refused_and_leaves_nothing_behind(
    make_corpus: Make, pack: Make, tmp_path: Path
) -> None:
    archive, cache = pack(make_corpus()), tmp_path / "cache"
    archive.write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])
    with pytest.raises(CorpusError, match="cannot unpack"):
        read_corpus(archive, cache=cache)
    assert list(cache.iterdir()) == []


def test_an_archive_cannot_write_outside_its_folder(tmp_path: Path) -> None:
    archive = tmp_path / "evil.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        tar.addfile(tarfile.TarInfo("../../outside"), io.BytesIO())
    with pytest.raises(CorpusError, match="cannot unpack"):
        read_corpus(archive, cache=tmp_path / "a" / "b")
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"])
def test_archives_of_every_kind_are_read(make_corpus: Make, tmp_path: Path, suffix: str) -> None:
    folder = make_corpus()
    archive = tmp_path / "packed" / f"mine{suffix}"
    archive.parent.mkdir()
    mode = {".tar": "w", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz"}.get(suffix, "w:gz")
    with tarfile.open(archive, mode) as tar:  # type: ignore[call-overload]
        tar.add(folder, arcname="another-name")
    corpus = read_corpus(archive, cache=tmp_path / "cache")
    assert corpus.name == "mine"
    assert len(corpus.pages) == 3
    assert corpus.pages[0].body()


def test_a_digest_changes_with_gold_and_pages_and_not_with_the_sample(make_corpus: Make) -> None:
    folder = make_corpus()
    whole = read_corpus(folder).digest
    assert read_corpus(folder, limit=1).digest == whole
    page = folder / "pages" / "bridge.html"
    page.write_bytes(page.read_bytes() + b" ")
    assert read_corpus(folder).digest != whole


def test_corpora_in_a_folder_are_found_by_name(make_corpus: Make, tmp_path: Path) -> None:
    make_corpus("b")
    make_corpus("a")
    (tmp_path / "nothing").mkdir()
    (tmp_path / "a.tar.xz").write_bytes(b"")
    (tmp_path / "c.tar").write_bytes(b"")
    assert [path.name for path in find_corpora(tmp_path)] == ["a", "b", "c.tar"]
    with pytest.raises(CorpusError, match="no folder"):
        find_corpora(tmp_path / "missing")


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
