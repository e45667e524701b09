"""Reads lists of words and phrases: text files beside the modules that use them, for people who add a language.

A file has one entry a line, in lower case, and comments in lines that begin with #. A line in brackets begins a
section, which is a language ([de]) if nothing else is said. The entries of a section are sorted, and each is there once
(tests/test_word_lists.py).
"""

from __future__ import annotations

from pathlib import Path


def read_sections(module: str, name: str) -> dict[str, tuple[str, ...]]:
    """Returns the entries of each section of the file `name` beside the module of the file `module` (its `__file__`).
    Entries above the first section are in the section "". Raises OSError if there is no such file."""
    sections: dict[str, list[str]] = {}
    section = ""
    for line in (Path(module).parent / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            sections.setdefault(section, []).append(line)
    return {name: tuple(entries) for name, entries in sections.items()}


def read_words(module: str, name: str) -> tuple[str, ...]:
    """Returns the entries of all sections of such a file."""
    return tuple(entry for entries in read_sections(module, name).values() for entry in entries)
