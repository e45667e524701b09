"""`newscrawl.extract_many`: order, one result for each page, constant memory, and no process that is left."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from typing import Any

import batch_pages
import pytest
from json_schema import problems
from patience import PATIENCE

import newscrawl
from newscrawl.archive.batch.many import AHEAD
from newscrawl.errors import UnknownChainError

pytestmark = pytest.mark.process

MOODY = {"extractors": {"moody": "batch_pages:moody"}, "chain": "moody"}
AT = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.mark.parametrize("workers", [0, 2])
def test_the_results_are_those_of_extract_in_the_order_of_the_input(workers: int) -> None:
    pages = [(f"https://harbour.example/{number}", batch_pages.page(number)) for number in range(30)]
    found = list(newscrawl.extract_many(pages, workers=workers, fetched_at=AT))
    assert [result.number for result in found] == list(range(30))
    assert [result.to_dict() for result in found] == [
        newscrawl.extract(html, url, fetched_at=AT).to_dict() for url, html in pages
    ]


def test_every_kind_of_input_gives_one_result(tmp_path: Path) -> None:
    html = batch_pages.page(7)
    (tmp_path / "a.html").write_text(html, "utf-8")
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(html.encode()))
    (tmp_path / "c.html.gz").write_bytes(b"\x1f\x8b broken")
    (tmp_path / "large.html").write_bytes(b"x" * (33 << 20))
    given: list[Any] = [
        html,
        html.encode(),
        bytearray(html.encode()),
        memoryview(html.encode()),
        ("https://harbour.example/7", html),
        (None, tmp_path / "a.html"),
        tmp_path / "b.html.gz",
        tmp_path / "c.html.gz",
        tmp_path / "missing.html",
        tmp_path / "large.html",
        None,
        42,
        (1, 2, 3),
        "",
        b"\x00\xff" * 500,
    ]
    found = list(newscrawl.extract_many(given, workers=1))
    assert [result.text.startswith("The council") for result in found[:7]] == [True] * 7
    assert found[4].record is not None
    assert found[4].record.url == "https://harbour.example/7"
    assert [result.failure.code if result.failure else None for result in found[7:]] == [
        *["file/unreadable"] * 3,
        *["content/not_html"] * 3,
        None,
        None,
    ]
    assert [result.text for result in found[7:14]] == [""] * 7
    assert found[8].to_dict()["path"] == str(tmp_path / "missing.html")


def test_a_page_that_hangs_dies_or_raises_is_one_result() -> None:
    words = {3: "please hang", 6: "please die", 9: "please raise"}
    pages = [batch_pages.page(number, words.get(number, "")) for number in range(20)]
    found = list(newscrawl.extract_many(pages, workers=2, timeout=1.0, **MOODY))
    failed = {result.number: result.failure.code for result in found if result.failure}
    assert failed == {3: "extraction/timeout", 6: "extraction/worker_died"}
    assert [result.number for result in found] == list(range(20))
    assert all(f"Number {result.number} ends" in result.text for result in found if result.number not in {3, 6, 9})
    assert found[9].text == ""


def test_an_endless_input_is_read_only_as_results_are_taken_and_closing_ends_the_processes() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        for number in count():
            taken += 1
            yield batch_pages.page(number)

    results = newscrawl.extract_many(endless(), workers=2)
    assert [result.number for result in islice(results, 50)] == list(range(50))
    assert taken <= 50 + 2 * AHEAD
    assert any(child.name == "newscrawl-batch" for child in multiprocessing.active_children())
    results.close()
    assert not any(child.name == "newscrawl-batch" for child in multiprocessing.active_children())
    assert not any(thread.name == "newscrawl-batch" for thread in threading.enumerate())


@pytest.mark.parametrize("workers", [0, 1])
def test_a_result_that_is_ready_is_yielded_before_another_page_is_taken(
    workers: int,
) -> None:
    taken = 0

    def pages() -> Iterator[Any]:
        nonlocal taken
        for number in range(5):
            taken += 1
            yield number  # it is no page, so that its result is ready at once

    for result in newscrawl.extract_many(pages(), workers=workers):
        assert taken == result.number + 1


def test_an_error_of_the_input_ends_the_processes_too() -> None:
    def broken() -> Iterator[str]:
        yield batch_pages.page(1)
        raise OSError("the input broke")

    with pytest.raises(OSError, match="the input broke"):
        list(newscrawl.extract_many(broken(), workers=1))
    assert not any(child.name == "newscrawl-batch" for child in multiprocessing.active_children())


def test_options_are_checked_before_the_first_page() -> None:
    with pytest.raises(UnknownChainError):
        newscrawl.extract_many([], chain="nonsense")
    for wrong in ({"workers": -1}, {"timeout": 0.0}, {"memory_mb": 1}):
        with pytest.raises(ValueError, match="give 0 or more workers"):
            newscrawl.extract_many([], **wrong)  # type: ignore[arg-type]

    def local(_signals: object) -> tuple[str, ...]:
        return ()

    with pytest.raises(TypeError, match="workers=0"):
        newscrawl.extract_many([], workers=1, verdict_rules=(local,))
    assert list(newscrawl.extract_many([], workers=0, verdict_rules=(local,))) == []
    assert list(newscrawl.extract_many([])) == []


def test_a_script_needs_no_guard_and_a_function_of_it_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nimport newscrawl\nfrom batch_pages import page\n"
        "def own(page, limits=None): return []\n"
        "try:\n    newscrawl.extract_many([], workers=1, extractors={'own': own}, chain='own')\n"
        "except TypeError as error:\n    print('refused:', error)\n"
        "print(*(r.record.title for r in newscrawl.extract_many(map(page, range(3)), workers=2)))\n",
        "utf-8",
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        env={"PYTHONPATH": str(Path(batch_pages.__file__).parent), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    refused, titles = done.stdout.splitlines()
    assert "defined in the script itself" in refused
    assert titles == "Story 0 Story 1 Story 2"


def test_memory_does_not_grow_with_the_number_of_pages() -> None:
    import tracemalloc

    def peak(pages: int) -> int:
        tracemalloc.start()
        for result in newscrawl.extract_many(map(batch_pages.page, range(pages)), workers=1):
            assert result.failure is None
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(50)  # loads what every run loads
    assert peak(800) < 1.5 * peak(100) + 500_000


def test_threads_that_extract_at_the_same_time_get_what_one_alone_gets() -> None:
    pages = [batch_pages.page(number) for number in range(40)]
    alone = [newscrawl.extract(html, fetched_at=AT).to_dict() for html in pages]
    found: dict[int, list[dict[str, Any]]] = {}

    def work(number: int) -> None:
        found[number] = [newscrawl.extract(html, fetched_at=AT).to_dict() for html in pages]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert list(found.values()) == [alone] * 4


def test_records_are_objects_of_the_schema() -> None:
    schema = newscrawl.json_schema()
    pages = [
        batch_pages.page(1),
        "",
        b"\xff\xfe",
        '<meta property="article:published_time" content="2021-05-01T10:00Z">' + batch_pages.page(2),
    ]
    for html in pages:
        record = newscrawl.extract(html, url="https://harbour.example/x").to_dict()
        assert list(record) == list(schema["properties"]) == schema["required"]
        assert json.loads(json.dumps(record)) == record
        assert problems(record, schema) == []


def test_ctrl_c_ends_the_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import itertools, multiprocessing, newscrawl\nfrom batch_pages import page\n"
        "try:\n"
        "    for result in newscrawl.extract_many(map(page, itertools.count()), workers=2):\n"
        "        if result.number == 10: print('begun', flush=True)\n"
        "except KeyboardInterrupt:\n"
        "    print('left:', [child.name for child in multiprocessing.active_children()])\n",
        "utf-8",
    )
    environment = {"PYTHONPATH": str(Path(batch_pages.__file__).parent), "PATH": ""}
    with subprocess.Popen([sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "left: []\n"
        assert process.wait(PATIENCE) == 0
