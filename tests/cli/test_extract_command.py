"""`newscrawl extract` and `explain`: pages from files, folders and standard input; and `sites`."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from batch_pages import page
from click.testing import Result

Call = Callable[..., Result]
Run = Callable[..., subprocess.CompletedProcess[str]]

SENTENCES = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
PAGE = f"""<html lang=en><head><title>Bridge agreed</title><meta name=author content="Ana Ruiz">
<meta property="article:published_time" content="2026-03-05T10:00:00Z"></head>
<body><nav><a href=/>Home</a></nav>
<main><div><article><p>{SENTENCES * 3}</p><p>{SENTENCES * 4}</p></article></div></main>
</body></html>""".encode()


def test_the_text_alone_goes_to_standard_output(call: Call, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    done = call("extract", str(tmp_path / "page.html"))
    assert done.exit_code == 0
    assert done.stdout.count("council") == 7
    assert done.stdout.count("\n\n") == 1
    assert done.stderr == ""


def test_json_has_everything_and_trace_goes_to_standard_error(call: Call) -> None:
    done = call("extract", "-", "--url", "https://example.org/a", "--json", "--trace", stdin=PAGE)
    found = json.loads(done.stdout)
    assert found["authors"] == ["Ana Ruiz"]
    assert found["published"] == "2026-03-05T10:00:00+00:00"
    assert found["published_precision"] == "second"
    assert found["url"] == "https://example.org/a"
    assert found["verdict"] == "article"
    assert "boilerpipe-wide+group" in done.stderr


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_the_form_is_chosen_by_option(call: Call, tmp_path: Path, form: str) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(PAGE.replace(b"council", b'<a href="/c">council</a>', 1))
    asked = call("extract", str(page), "--url", "https://example.org/a", "--format", form)
    assert asked.exit_code == 0
    assert ("[council](https://example.org/c)" in asked.stdout) is (form == "markdown")
    if form == "json":
        assert json.loads(asked.stdout)["structure"]["blocks"] == "p p"


def test_markdown_is_for_one_page(call: Call, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    asked = call("extract", str(tmp_path), "-o", f"{tmp_path}/a.jsonl", "--format", "markdown")
    assert asked.exit_code == 2
    assert "for one page" in asked.output


def test_the_chain_is_chosen_by_option_and_by_setting(call: Call, run: Run) -> None:
    assert json.loads(call("extract", "-", "--json", "--chain", "justext", stdin=PAGE).stdout)["extractor"] == "justext"
    chosen = run("newscrawl", "extract", "-", "--json", stdin=PAGE, NEWSCRAWL_CHAIN="boilerpipe-default+tree1")
    assert json.loads(chosen.stdout)["extractor"] == "boilerpipe-default+tree1"


@pytest.mark.parametrize("body", [b"", b"x", b"\0\0", b"\xff\xd8\xff\xe0\0\x10JFIF", b"<html></html>"])
def test_a_page_without_an_article_is_exit_code_1_and_one_line(call: Call, body: bytes) -> None:
    done = call("extract", "-", stdin=body)
    assert done.exit_code == 1
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
def test_why_there_is_no_text_is_said_in_words(call: Call, tmp_path: Path, body: bytes, words: str) -> None:
    (tmp_path / "page.html").write_bytes(body)
    done = call("extract", str(tmp_path / "page.html"))
    assert done.exit_code == 1
    assert words in done.stderr


def test_sites_lists_the_declared_sites(call: Call) -> None:
    done = call("sites")
    assert "demo" in done.stdout
    assert "elpais" in done.stdout


@pytest.mark.parametrize("command", ["extract", "explain"])
def test_no_more_of_a_page_is_read_than_a_crawl_would_take(call: Call, tmp_path: Path, command: str) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(PAGE)

    for source, stdin in ((str(file), None), ("-", PAGE)):
        refused = call(command, source, "--max-bytes", str(len(PAGE) - 1), stdin=stdin)
        assert refused.exit_code == 2
        assert f"has more than {len(PAGE) - 1:,} bytes" in refused.stderr
        assert call(command, source, "--max-bytes", str(len(PAGE)), stdin=stdin).exit_code == 0
    with file.open("r+b") as opened:
        opened.truncate(1 << 40)  # never read
    assert call(command, str(file)).exit_code == 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    for number in range(5):
        (pages / f"{number}.html").write_text(page(number), "utf-8")
    (pages / "deep" / "5.HTM").write_text(page(5), "utf-8")
    (pages / "deep" / "6.html.gz").write_bytes(gzip.compress(page(6).encode()))
    (pages / "notes.txt").write_text("no page", "utf-8")
    return pages


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.process
def test_the_pages_of_folders_and_files_are_lines_in_order(call: Call, folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.jsonl"
    done = call("extract", folder, folder / "notes.txt", "-o", output, "--workers", 2)
    assert done.exit_code == 0, done.output
    found = lines(output)
    names = [str(line["path"]).removeprefix(f"{folder}/") for line in found]
    assert names == ["0.html", "1.html", "2.html", "3.html", "4.html", "deep/5.HTM", "deep/6.html.gz", "notes.txt"]
    assert [line["title"] for line in found[:7]] == [f"Story {number}" for number in range(7)]
    assert "8 pages in" in done.output
    assert not output.with_name("x.jsonl.part").exists()


def test_a_page_that_cannot_be_read_is_a_line_and_exit_code_1(call: Call, folder: Path, tmp_path: Path) -> None:
    (folder / "broken.html.gz").write_bytes(b"\x1f\x8b nothing")
    done = call("extract", folder, "-o", tmp_path / "x.jsonl", "--workers", 0)
    assert done.exit_code == 1
    assert "1 failed (file/unreadable)" in done.output
    (wrong,) = [line for line in lines(tmp_path / "x.jsonl") if "failure" in line]
    assert wrong["failure"] == "file/unreadable"
    assert "broken.html.gz cannot be read" in str(wrong["reason"])


def test_an_output_is_replaced_only_with_force_and_only_when_it_is_complete(
    call: Call, folder: Path, tmp_path: Path
) -> None:
    output = tmp_path / "x.jsonl"
    output.write_text("mine\n", "utf-8")
    refused = call("extract", folder, "-o", output, "--workers", 0)
    assert refused.exit_code == 2
    assert "--force" in refused.output
    assert output.read_text("utf-8") == "mine\n"
    assert call("extract", folder, "-o", output, "--workers", 0, "--force").exit_code == 0
    assert len(lines(output)) == 7


def test_standard_output_gets_the_lines(call: Call, folder: Path) -> None:
    done = call("extract", str(folder / "1.html"), "-o", "-", "--workers", "0")
    assert json.loads(done.stdout)["title"] == "Story 1"


COUNCIL = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
EXPLAINED = f"<html lang=en><title>Bridge agreed</title><body><article><p>{COUNCIL * 9}</p></article></body></html>"


def test_a_file_is_explained_into_a_file_as_in_the_helps_example(run: Run, tmp_path: Path) -> None:
    assert "newscrawl explain page.html -o why.html" in run("newscrawl", "explain", "--help").stdout
    (tmp_path / "page.html").write_text(EXPLAINED)
    done = run("newscrawl", "explain", "page.html", "-o", "why.html", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    explained = (tmp_path / "why.html").read_text(encoding="utf-8")
    assert explained.startswith("<!doctype html>")
    assert "Bridge agreed" in explained


def test_standard_input_is_explained_to_standard_output_by_the_chosen_chain(call: Call) -> None:
    done = call("explain", "-", "--chain", "justext", "--url", "https://example.org/a", stdin=EXPLAINED.encode())
    assert done.exit_code == 0
    assert "Chain justext" in done.stdout
    assert "https://example.org/a" in done.stdout
    assert done.stdout.endswith("</html>\n")


def test_a_page_without_text_is_explained_too(call: Call) -> None:
    done = call("explain", "-", stdin=b"<html></html>")
    assert done.exit_code == 0
    assert "nothing selected" in done.stdout
