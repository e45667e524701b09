"""The labels of pages that the model of kinds did not learn from, and the table of their verdicts."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.train_kinds.labelled import CORPORA, LABELS, UNCLEAR, labelled, read_labels, table
from benchmarks.train_kinds.pages import KindPage
from benchmarks.train_kinds.tables import Judged
from newscrawl.article.page_kinds.features import KIND_FEATURES
from newscrawl.article.page_kinds.model import LEARNED


def test_every_label_is_a_kind_and_articles_have_none() -> None:
    labels = read_labels(LABELS.read_text(encoding="utf-8"))
    assert set(labels.values()) == {*LEARNED[1:], UNCLEAR}


def test_a_page_is_an_article_without_a_label_and_left_out_if_it_is_unclear(tmp_path: Path) -> None:
    for corpus, pages in zip(CORPORA, (("a", "b", "c"), ("a", "d")), strict=True):
        (tmp_path / corpus / "pages").mkdir(parents=True)
        rows = [json.dumps({"id": page, "text": "", "url": f"https://paper.example/{page}"}) for page in pages]
        (tmp_path / corpus / "gold.jsonl").write_text("\n".join(rows), encoding="utf-8")
        for page in pages:
            (tmp_path / corpus / "pages" / f"{page}.html").write_bytes(b"<p>")
    found = labelled(tmp_path, read_labels("# a comment\nb service\nc unclear\n"))
    assert [(page.id, kind) for _, page, kind in found] == [("a", "article"), ("b", "service"), ("d", "article")]


def test_the_table_counts_lost_articles_by_language_and_other_pages_by_kind() -> None:
    def judged(kind: str, verdict: str, language: str) -> Judged:
        row = (0.0,) * len(KIND_FEATURES)
        page = KindPage(CORPORA[0], "1", kind, "paper.example", "", row, {}, True, False, "article", language)
        return Judged(page, verdict, verdict)

    lines = table(
        [
            judged("article", "article", "de"),
            judged("article", "service", "de"),
            judged("article", "empty", "fr"),
            judged("service", "listing", "de"),
            judged("service", "short", "de"),
        ]
    ).splitlines()
    assert [line.split("|")[1:4] for line in lines if line.startswith("| ") and " 95 % " not in line] == [
        [" de ", " 2 ", " 1 "],
        [" fr ", " 1 ", " 0 "],
        [" all ", " 3 ", " 1 "],
        [" service ", " 2 ", " 1 "],
        [" all ", " 2 ", " 1 "],
    ]
