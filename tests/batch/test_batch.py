"""A batch makes each part once, whatever happens on the way, and never mixes parts of different options."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import batch_child
import pytest
import warm
from batch_child import OPTIONS
from patience import PATIENCE
from pyarrow import parquet
from rich.progress import DownloadColumn

from newscrawl.archive.batch.part_names import MANIFEST
from newscrawl.archive.batch.parts import PartResult, PartTask, make_part, place_for_parts
from newscrawl.archive.batch.planning import MAX_SPAN, MIN_SPAN, BatchFile, files_at, span_bytes_of
from newscrawl.archive.batch.run import MAX_FAILED, Batch
from newscrawl.archive.batch.spans import SpanOptions, extract_span
from newscrawl.archive.ingest.pages import PageFilter
from newscrawl.archive.places import FolderPlace
from newscrawl.cli.batch_files import STOPPED
from newscrawl.cli.common.work import follow
from newscrawl.errors import BatchStopped, OutputError, UsageError
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model.address_policy import AddressPolicy

Archive = Callable[..., Path]
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
"""The time of all records."""
SPAN = 500
"""Bytes of a span: one or two records."""


class Listed:
    """An engine that answers each span with what `outcome` gives, in this process."""

    def __init__(self, outcome: Callable[[PartTask], PartResult | str], room: int = 2) -> None:
        self.outcome = outcome
        self.room = room
        self.given: list[PartTask] = []
        self._waiting: list[PartTask] = []

    def has_room(self) -> bool:
        return len(self._waiting) < self.room

    def is_busy(self) -> bool:
        return bool(self._waiting)

    def give(self, task: PartTask) -> None:
        self.given.append(task)
        self._waiting.append(task)

    def done(self) -> Iterator[tuple[PartTask, PartResult | str]]:
        task = self._waiting.pop(0)
        yield task, self.outcome(task)

    def state(self) -> str:
        return "one engine"


def made(task: PartTask) -> PartResult:
    """Writes something under the part's name."""
    place_for_parts(task.place).create(task.span.part(task.digest), b"")
    return PartResult(10, 8, {"warc/broken": 2})


def batch(place: Path, *paths: Path, options: SpanOptions = OPTIONS, **changed: Any) -> Batch:
    files = files_at([str(path) for path in paths], AddressPolicy())
    return Batch(files, options, place_for_parts(str(place), make=True), **{"span_bytes": SPAN, **changed})


def rows(place: Path) -> list[dict[str, Any]]:
    """The rows of all parts, in the order of the archive."""
    found = [row for path in place.glob("*.parquet") for row in parquet.read_table(path).to_pylist()]
    return sorted(found, key=lambda row: (row["file"], row["offset"], row["number"]))


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_the_parts_have_each_row_once(archive: Archive, tmp_path: Path, name: str, monkeypatch: Any) -> None:
    monkeypatch.setattr("newscrawl.archive.batch.planning.PLAIN", 4)
    path, place = archive(name, range(12)), tmp_path / "parts"
    work = batch_child.run(str(place), str(path), SPAN)
    assert rows(place) == extract_span(path, 0, 1 << 40, OPTIONS).to_pylist()
    assert (work.progress.rows, work.progress.articles, work.progress.parts) == (12, 12, work.progress.spans)
    assert work.progress.parts > 3
    told = json.loads((place / MANIFEST).read_bytes())
    assert {span["state"] for span in told["spans"]} == {"done"}
    assert sum(span["rows"] for span in told["spans"]) == 12
    assert {span["part"] for span in told["spans"]} == {found.name for found in place.glob("*.parquet")}


@pytest.mark.parametrize("failpoint", ["batch-part:3", "batch-written:4"])
def test_the_same_command_goes_on_after_a_kill(archive: Archive, tmp_path: Path, failpoint: str) -> None:
    path, place = archive("a.warc.gz", range(9)), tmp_path / "parts"
    child = warm.Popen(
        [sys.executable, "-m", "batch_child", str(place), str(path), str(SPAN)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "NEWSCRAWL_FAILPOINT": failpoint},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert (child.communicate(timeout=PATIENCE)[1], child.returncode) == ("", -signal.SIGKILL)
    kept = {found.name: found.stat().st_mtime_ns for found in place.glob("*.parquet")}
    assert len(kept) == (3 if "part" in failpoint else 2)  # the first that is written is the manifest
    work = batch_child.run(str(place), str(path), SPAN)
    assert work.progress.spans > len(kept)
    assert 0 < work.progress.fresh < work.progress.total == work.progress.done
    assert rows(place) == extract_span(path, 0, 1 << 40, OPTIONS).to_pylist()
    assert {name: (place / name).stat().st_mtime_ns for name in kept} == kept


def test_a_second_command_has_nothing_to_do_and_more_files_are_added(archive: Archive, tmp_path: Path) -> None:
    first, second = archive("a.warc.gz", range(4)), archive("b.warc.gz", range(4, 8))
    for _ in batch(tmp_path / "parts", first).run(engine := Listed(made)):
        pass
    again = batch(tmp_path / "parts", first)
    assert (again.progress.fresh, again.progress.parts) == (0, again.progress.spans)
    assert list(again.run(Listed(made)))[-1].rows == 0
    both = batch(tmp_path / "parts", first, second, span_bytes=SPAN * 2)  # the size of the first command stays
    for _ in both.run(more := Listed(made)):
        pass
    assert both.progress.parts == both.progress.spans == len(engine.given) + len(more.given)
    assert {task.span.file for task in more.given} == {str(second)}


def test_parts_of_another_digest_are_refused_before_anything_is_written(archive: Archive, tmp_path: Path) -> None:
    path, place = archive("a.warc.gz", range(3)), tmp_path / "parts"
    batch(place, path)
    before = sorted(place.iterdir())
    other = replace(OPTIONS, article=ArticleOptions("justext"), languages=frozenset({"pt"}))
    with pytest.raises(UsageError, match=r'another digest.*article is .*"classic".* there, languages is \[\] there; '):
        batch(place, path, options=other)
    told = (place / MANIFEST).read_text().replace('"digest": "', '"digest": "0')
    (place / MANIFEST).write_text(told)
    with pytest.raises(UsageError, match=r"newscrawl .* or its packages had other code there"):
        batch(place, path)
    (place / MANIFEST).write_text("{}")
    with pytest.raises(UsageError, match=r"_manifest\.json that this version cannot read"):
        batch(place, path)
    assert sorted(place.iterdir()) == before


def test_the_time_of_the_first_command_is_that_of_all(archive: Archive, tmp_path: Path) -> None:
    path, place = archive("a.warc.gz", range(3)), tmp_path / "parts"
    first = batch(place, path)
    later = replace(OPTIONS, as_of=datetime(2027, 1, 1, tzinfo=UTC))
    assert batch(place, path, options=later).options == first.options == OPTIONS
    with pytest.raises(UsageError, match='as_of is "2026-11-02T00:00:00'):
        batch(place, path, options=later, as_of=later.as_of)


def test_a_file_that_changed_is_refused(archive: Archive, tmp_path: Path) -> None:
    batch(tmp_path / "parts", archive("a.warc.gz", range(3)))
    with pytest.raises(UsageError, match=r"a\.warc\.gz has changed since parts of it were made"):
        batch(tmp_path / "parts", archive("a.warc.gz", range(4)))


def test_a_limit_begins_no_further_span(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawl.archive.batch.run.PAGE", SPAN // 10)
    path = archive("a.warc.gz", range(20))
    work = batch(tmp_path / "parts", path, limit=25)
    for _ in work.run(Listed(made, room=100)):
        pass
    assert work.progress.rows == 30
    rest = batch(tmp_path / "parts", path)
    for _ in rest.run(Listed(made)):
        pass
    assert (rest.progress.parts, rest.progress.rows) == (rest.progress.spans, 10 * rest.progress.spans - 30)


def test_the_same_command_goes_on_after_ctrl_c(archive: Archive, tmp_path: Path) -> None:
    path, place = archive("a.warc.gz", range(6)), tmp_path / "parts"

    def interrupted(task: PartTask) -> PartResult:
        if len(engine.given) == 4:
            signal.raise_signal(signal.SIGINT)
        return made(task)

    work, engine = batch(place, path), Listed(interrupted)
    with pytest.raises(SystemExit) as ended:
        follow(work.run(engine), lambda *_: "", DownloadColumn(), STOPPED)
    assert (ended.value.code, work.progress.parts) == (130, 2)
    states = [span["state"] for span in json.loads((place / MANIFEST).read_bytes())["spans"]]
    assert states == ["done"] * 2 + ["waiting"] * (work.progress.spans - 2)
    again = batch(place, path)
    for _ in again.run(rest := Listed(made)):
        pass
    assert (again.progress.parts, len(rest.given)) == (work.progress.spans, work.progress.spans - 2)


def test_a_span_that_fails_is_tried_again_by_the_next_command(archive: Archive, tmp_path: Path) -> None:
    path = archive("a.warc.gz", range(6))
    work = batch(tmp_path / "parts", path)
    for _ in work.run(Listed(lambda task: made(task) if task.span.offset else "the store does not answer")):
        pass
    assert list(work.progress.failed.values()) == ["the store does not answer"]
    spans = json.loads((tmp_path / "parts" / MANIFEST).read_bytes())["spans"]
    assert [(span["state"], span.get("reason")) for span in spans[:2]] == [
        ("failed", "the store does not answer"),
        ("done", None),
    ]
    again = batch(tmp_path / "parts", path)
    for _ in again.run(engine := Listed(made)):
        pass
    assert ([task.span.offset for task in engine.given], again.progress.failed) == ([0], {})


def test_many_failures_in_a_row_stop_the_batch(archive: Archive, tmp_path: Path) -> None:
    work = batch(tmp_path / "parts", archive("a.warc.gz", range(40)))
    with pytest.raises(BatchStopped, match=f"{MAX_FAILED} spans failed one after another: no network") as raised:
        list(work.run(engine := Listed(lambda task: "no network")))
    assert (len(engine.given), raised.value.exit_code) == (MAX_FAILED + 1, 75)


def test_another_version_on_a_worker_makes_no_part(archive: Archive, tmp_path: Path) -> None:
    work = batch(tmp_path / "parts", archive("a.warc.gz", range(2)))
    for _ in work.run(engine := Listed(made)):
        pass
    with pytest.raises(UsageError, match="another version of newscrawl, of Python or of a package"):
        make_part(replace(engine.given[0], digest="0" * 16))


def test_options_select_languages_and_sites(archive: Archive, tmp_path: Path) -> None:
    path = archive("a.warc.gz", [1], is_portuguese=True)
    path.write_bytes(path.read_bytes() + archive("b.warc.gz", [2]).read_bytes())
    path.write_bytes(
        path.read_bytes() + archive("c.warc.gz", [3], is_portuguese=True, host="porto.example").read_bytes()
    )
    options = replace(
        OPTIONS, languages=frozenset({"PT"}), wanted=PageFilter(only=frozenset({"harbour.example"}), since=NOW)
    )
    found = extract_span(path, 0, 1 << 40, options).to_pylist()
    assert [(row["title"], row["language"]) for row in found] == [("Bridge 1", "pt")]
    later = replace(OPTIONS, wanted=PageFilter(since=NOW + timedelta(seconds=1)))
    assert extract_span(path, 0, 1 << 40, later).num_rows == 0


def test_a_file_is_created_once_and_is_complete(tmp_path: Path) -> None:
    place = place_for_parts(str(tmp_path / "a" / "parts"), make=True)
    assert isinstance(place, FolderPlace)
    assert (place.create("x", b"one"), place.create("x", b"two"), place.read("x")) == (True, False, b"one")
    place.replace("x", b"three")
    assert (place.read("x"), [(file.name, file.size) for file in place.listed("").values()]) == (b"three", [("x", 5)])
    with pytest.raises(FileNotFoundError):
        place.read("y")
    (place.folder / ".y.tmp").touch()
    assert list(place.listed("")) == ["x"]
    with pytest.raises(OutputError, match=r"cannot write .*/x: "):
        place_for_parts(str(place.folder / "x")).create("y", b"")
    with pytest.raises(UsageError, match="ftp://x is no place for parts"):
        place_for_parts("ftp://x")


def test_the_size_of_spans_follows_the_size_of_the_files() -> None:
    def of(size: int, is_compressed: bool = True) -> int:
        return span_bytes_of([BatchFile("a", "k", size, is_compressed)] * 2)

    assert (of(1), of(1 << 40), of(2 << 30), of(2 << 30, False)) == (MIN_SPAN, MAX_SPAN, 8 << 20, MIN_SPAN)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.warc.gz", "cannot read .*missing.warc.gz: no such file"),
        ("ftp://x/a.warc.gz", "cannot read ftp://x/a.warc.gz: give a path"),
        ("empty", "nothing to extract in .*empty: no .warc"),
        ("page.html", "cannot extract .*page.html: it is not a WARC file"),
    ],
)
def test_a_file_that_cannot_be_extracted_is_one_line(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "page.html").write_text("<p>x</p>")
    with pytest.raises(UsageError, match=said):
        files_at([name if "://" in name else str(tmp_path / name)], AddressPolicy())


def test_a_folder_is_its_archives_and_the_same_content_is_taken_once(archive: Archive, tmp_path: Path) -> None:
    first, _ = archive("a.warc.gz", [1]), archive("b.warc.gz", [1])
    other = archive("c.warc", [1])
    assert [file.file for file in files_at([str(tmp_path)], AddressPolicy())] == [str(first), str(other)]
