"""`newscrawl explain` writes an HTML page."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., subprocess.CompletedProcess[str]]

SENTENCES = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
PAGE = f"<html lang=en><title>Bridge agreed</title><body><article><p>{SENTENCES * 9}</p></article></body></html>"


def test_a_file_is_explained_into_a_file_as_in_the_helps_example(run: Run, tmp_path: Path) -> None:
    assert "newscrawl explain page.html -o why.html" in run("newscrawl", "explain", "--help").stdout
    (tmp_path / "page.html").write_text(PAGE)
    done = run("newscrawl", "explain", "page.html", "-o", "why.html", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    explained = (tmp_path / "why.html").read_text(encoding="utf-8")
    assert explained.startswith("<!doctype html>")
    assert "Bridge agreed" in explained


def test_standard_input_is_explained_to_standard_output_by_the_chosen_chain(run: Run) -> None:
    done = run("newscrawl", "explain", "-", "--chain", "justext", "--url", "https://example.org/a", stdin=PAGE.encode())
    assert done.returncode == 0
    assert "Chain justext" in done.stdout
    assert "https://example.org/a" in done.stdout
    assert done.stdout.endswith("</html>\n")


def test_a_page_without_text_is_explained_too(run: Run) -> None:
    done = run("newscrawl", "explain", "-", stdin=b"<html></html>")
    assert done.returncode == 0
    assert "nothing selected" in done.stdout
