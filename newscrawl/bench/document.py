"""Generated tables inside hand-written documents: what stands between two markers is replaced."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from newscrawl.errors import UsageError


def replace_section(document: Path, name: str, content: str, command: str) -> None:
    """Put `content` between `<!-- NAME -->` and `<!-- /NAME -->` of `document`, with its date and command.

    Raises UsageError where the markers are missing.
    """
    text = document.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if begin not in text or end not in text:
        raise UsageError(f"{document} has no section between {begin} and {end}: add the two markers")
    before, rest = text.split(begin, 1)
    after = rest.split(end, 1)[1]
    head = f"Generated on {datetime.now(UTC):%Y-%m-%d} by `{command}`."
    document.write_text(f"{before}{begin}\n{head}\n\n{content.strip()}\n{end}{after}", encoding="utf-8")


def command_line(program: str) -> str:
    """The command line of this run behind `program`, without options that name a path of this machine."""
    words: list[str] = []
    for word in sys.argv[1:]:
        if word.startswith("/") or word.partition("=")[0] in {"--shared", "--json", "--html", "--corpora"}:
            if words and word.startswith("/") and words[-1].startswith("--"):
                words.pop()
            continue
        words.append(word)
    return " ".join([program, *words])
