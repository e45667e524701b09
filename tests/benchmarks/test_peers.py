"""Extractors of other projects: their errors are counted, they get no network, and their texts are kept."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE
from small_corpus import write_corpus

from benchmarks.support import peers
from benchmarks.support.peers import PEERS, PeerInfo, Subject, run_peer, system
from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.measure import SystemFailed, measure_corpus, results

SUBJECT = Subject("<p>The bridge opened on Monday.</p>", None, "en")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Callable[[Subject], str | None]], None]:
    """Puts a peer called `fake` in the table, and an empty cache beside it."""

    def put(run: Callable[[Subject], str | None]) -> None:
        monkeypatch.setattr(peers, "PEERS", {**PEERS, "fake": PeerInfo("click", "click", lambda: run)})
        monkeypatch.setattr(peers, "default_cache", lambda: tmp_path / "cache")
        peers._loaded.cache_clear()

    return put


def test_what_a_peer_raises_is_its_failure(fake: Callable[..., None]) -> None:
    def broken(_subject: Subject) -> str:
        raise ValueError("no\n  article")

    fake(broken)
    for _ in range(2):  # the second time from the cache
        with pytest.raises(SystemFailed, match=r"^ValueError: no article$"):
            run_peer("fake", SUBJECT)


def test_a_peer_is_asked_once_for_a_page(fake: Callable[..., None]) -> None:
    asked: list[str] = []
    fake(lambda subject: asked.append(subject.html) or "text")  # type: ignore[func-returns-value]
    assert run_peer("fake", SUBJECT) == run_peer("fake", SUBJECT) == "text"
    assert run_peer("fake", Subject("other", None, "en")) == "text"
    assert asked == [SUBJECT.html, "other"]


def test_a_peer_has_no_network(fake: Callable[..., None]) -> None:
    def curious(_subject: Subject) -> str:
        socket.create_connection(("127.0.0.1", 9))
        return "never"

    fake(curious)
    before = socket.getaddrinfo
    with pytest.raises(SystemFailed, match="no network"):
        run_peer("fake", SUBJECT)
    assert socket.getaddrinfo is before


def test_a_slow_peer_is_stopped_and_asked_again_next_time(
    fake: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "TIME_LIMIT", 0.05)
    waits = iter([PATIENCE, 0])
    fake(lambda _subject: time.sleep(next(waits)) or "text")  # type: ignore[func-returns-value]
    with pytest.raises(SystemFailed, match=r"took longer than 0\.05 s"):
        run_peer("fake", SUBJECT)
    monkeypatch.setattr(peers, "TIME_LIMIT", PATIENCE)
    assert run_peer("fake", SUBJECT) == "text"


def test_failures_are_counted_as_empty_outputs(fake: Callable[..., None], tmp_path: Path) -> None:
    def picky(subject: Subject) -> str | None:
        if "harbour" in subject.html:
            raise RuntimeError("not this one")
        return None if "market" in subject.html else "The bridge opened on Monday."

    fake(picky)
    names = ("peer/fake", "boilerpipe-wide")
    measured = measure_corpus(read_corpus(write_corpus(tmp_path)), names, processes=1, rouge=True, find=system)
    result = results(measured)["peer/fake"]
    assert (result.failed, result.shingles.empty, result.rouge.empty) == (1, 2, 2)
    assert result.failures == (("RuntimeError: not this one", 1),)
    assert results(measured)["boilerpipe-wide"].failed == 0


def test_the_justext_package_runs(tmp_path: Path) -> None:
    sentence = "The bridge that was closed for a year has been opened to the people of the town on Monday, they said. "
    page = Subject(f"<html><body><p>{sentence * 4}</p></body></html>", None, "en")
    assert run_peer("justext", page, tmp_path).startswith("The bridge that was closed")
