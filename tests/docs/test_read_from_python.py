"""The examples of docs/how-to/read-results.md run, on both databases."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from patience import PATIENCE

from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.storage.store import open_store

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "read-results.md"
EXAMPLES: Final = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
NOW: Final = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FERRY: Final = "\n\n".join(f"Sentence number {n} tells of the ferry, and of bridge {n * 7}." for n in range(40))


def page(url: str, text: str, hours: int = 0, site: str = "harbour") -> ProcessedPage:
    raw = RawPage(url, url, 200, {}, None, NOW + timedelta(hours=hours), site, None)
    metadata = Metadata(title="The ferry", language="en")
    return fingerprint(ProcessedPage(raw, Article(url, site, metadata, text, "classic", "article")))


def test_the_examples_run(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rest = "\n\n".join(f"Report {n} is about roof {n * 13} and road {n * 11}." for n in range(60))
    with open_store(database, upgrade=False, max_wait=0.01) as store:
        for saved in (
            page("https://harbour.example/ferry", FERRY),
            page("https://harbour.example/ferry", FERRY.replace("number 7 ", "number Monday "), 1),
            page("https://valley.example/ferry", f"{FERRY} So says the valley.", 2, "valley"),
            page("https://valley.example/week", f"{FERRY} {rest}", 3, "valley"),
        ):
            store.save(saved).result(PATIENCE)
    shown = []
    for example in EXAMPLES:
        names: dict[str, Any] = {"__name__": "example"}
        exec(compile(example.replace("sqlite:///news.db", database), PAGE.name, "exec"), names)
        shown.append(capsys.readouterr().out)
    first, chosen, story, search, error = shown
    assert len(first.splitlines()) == 3
    assert chosen.startswith("['harbour', 'valley']\n1 ")
    for part in (
        "first The ferry",
        "correction The ferry",
        "{+Monday+}",
        "valley.example/ferry 9",
        "also in https://valley.example/week",
    ):
        assert part in story
    assert "'ferry'" in search
    expected = re.search(r"print\(error\)  # (.*)", EXAMPLES[-1])
    assert expected is not None
    assert error.replace(f"{tmp_path}/", "").strip() == expected[1]
