"""`newscrawl extract` and the empty project."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from newscrawl.cli.main import main

Run = Callable[..., subprocess.CompletedProcess[str]]

SENTENCES = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
PAGE = f"""<html lang=en><head><title>Bridge agreed</title><meta name=author content="Ana Ruiz">
<meta property="article:published_time" content="2026-03-05T10:00:00Z"></head>
<body><nav><a href=/>Home</a></nav>
<main><div><article><p>{SENTENCES * 3}</p><p>{SENTENCES * 4}</p></article></div></main>
</body></html>""".encode()


def test_the_text_alone_goes_to_standard_output(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    done = run("newscrawl", "extract", str(tmp_path / "page.html"), cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.count("council") == 7
    assert done.stdout.count("\n\n") == 1
    assert done.stderr == ""


def test_json_has_everything_and_trace_goes_to_standard_error(run: Run) -> None:
    done = run("newscrawl", "extract", "-", "--url", "https://example.org/a", "--json", "--trace", stdin=PAGE)
    found = json.loads(done.stdout)
    assert found["authors"] == ["Ana Ruiz"]
    assert found["published"] == "2026-03-05T10:00:00+00:00"
    assert found["published_precision"] == "second"
    assert found["url"] == "https://example.org/a"
    assert found["verdict"] == "article"
    assert "boilerpipe-wide+group" in done.stderr


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_the_form_is_chosen_by_option(tmp_path: Path, form: str) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(PAGE.replace(b"council", b'<a href="/c">council</a>', 1))
    asked = CliRunner().invoke(main, ["extract", str(page), "--url", "https://example.org/a", "--format", form])
    assert asked.exit_code == 0
    assert ("[council](https://example.org/c)" in asked.stdout) is (form == "markdown")
    if form == "json":
        assert json.loads(asked.stdout)["structure"]["blocks"] == "p p"


def test_markdown_is_for_one_page(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    asked = CliRunner().invoke(main, ["extract", str(tmp_path), "-o", f"{tmp_path}/a.jsonl", "--format", "markdown"])
    assert asked.exit_code == 2
    assert "for one page" in asked.output


def test_the_chain_is_chosen_by_option_and_by_setting(run: Run) -> None:
    assert (
        json.loads(run("newscrawl", "extract", "-", "--json", "--chain", "justext", stdin=PAGE).stdout)["extractor"]
        == "justext"
    )
    chosen = run("newscrawl", "extract", "-", "--json", stdin=PAGE, NEWSCRAWL_CHAIN="boilerpipe-default+tree1")
    assert json.loads(chosen.stdout)["extractor"] == "boilerpipe-default+tree1"


@pytest.mark.parametrize("body", [b"", b"x", b"\0\0", b"\xff\xd8\xff\xe0\0\x10JFIF", b"<html></html>"])
def test_a_page_without_an_article_is_exit_code_1_and_one_line(run: Run, body: bytes) -> None:
    done = run("newscrawl", "extract", "-", stdin=body)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("newscrawl: no article text in -")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"%PDF-1.4 " + bytes(range(256)) * 9, "it is no HTML page, the bytes are a PDF file"),
        (b"<html><title>404 Page not found</title></html>", "it looks like a 'not found' page"),
        (b"<html></html>", "no extractor found any (--trace says more)"),
    ],
)
def test_why_there_is_no_text_is_said_in_words(tmp_path: Path, body: bytes, words: str) -> None:
    (tmp_path / "page.html").write_bytes(body)
    done = CliRunner().invoke(main, ["extract", str(tmp_path / "page.html")])
    assert done.exit_code == 1
    assert words in done.stderr


def test_sites_lists_the_declared_sites(run: Run) -> None:
    done = run("newscrawl", "sites")
    assert "demo" in done.stdout
    assert "elpais" in done.stdout


@pytest.mark.parametrize("command", ["extract", "explain"])
def test_no_more_of_a_page_is_read_than_a_crawl_would_take(tmp_path: Path, command: str) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(PAGE)

    def done(*words: str, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(main, [command, *words], input=stdin, prog_name="newscrawl")

    for source, stdin in ((str(file), None), ("-", PAGE)):
        refused = done(source, "--max-bytes", str(len(PAGE) - 1), stdin=stdin)
        assert refused.exit_code == 2
        assert f"has more than {len(PAGE) - 1:,} bytes" in refused.stderr
        assert done(source, "--max-bytes", str(len(PAGE)), stdin=stdin).exit_code == 0
    with file.open("r+b") as opened:
        opened.truncate(1 << 40)  # never read
    assert done(str(file)).exit_code == 2
