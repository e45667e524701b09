"""Documents with generated tables: Markdown tables, the facts of a run, and sections between two markers."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from newscrawl.errors import UsageError


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = False) -> str:
    """Returns a Markdown table. With `numbers`, all columns but the first are aligned to the right."""
    lines = [header, ["---", *["---:" if numbers else "---"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def run_facts() -> dict[str, str]:
    """Returns the day of this run and the versions of newscrawl and of Python."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "newscrawl": version("newscrawl"),
        "python": platform.python_version(),
    }


def replace_section(document: Path, name: str, content: str, command: str) -> None:
    """Writes `content` between `<!-- NAME -->` and `<!-- /NAME -->` of `document`, with the date and the command.

    Raises UsageError if the markers are missing.
    """
    before, after = around_section(document, name)
    head = f"Generated on {datetime.now(UTC):%Y-%m-%d} by `{command}`."
    document.write_text(f"{before}\n{head}\n\n{content.strip()}\n{after}", encoding="utf-8")


def around_section(document: Path, name: str) -> tuple[str, str]:
    """Returns the parts of `document` before and after the section, with the markers. Commands also call it before they
    measure. Raises UsageError if the document cannot be read or has no such markers."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    try:
        text = document.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {document}: {error}; name a document with {begin} and {end} in it") from error
    if begin not in text or end not in text:
        raise UsageError(f"{document} has no section between {begin} and {end}: add the two markers")
    before, rest = text.split(begin, 1)
    return before + begin, end + rest.split(end, 1)[1]


def command_line(program: str) -> str:
    """Returns the command line of this run after `program`, without options that contain a path of this machine."""
    words: list[str] = []
    for word in sys.argv[1:]:
        if word.startswith("/") or word.partition("=")[0] in {"--shared", "--json", "--html", "--corpora"}:
            if words and word.startswith("/") and words[-1].startswith("-"):
                words.pop()
            continue
        words.append(word)
    return " ".join([program, *words])
