"""Convert the public data set at SOURCE, in its own LAYOUT, into a corpus folder TARGET (docs/how-to/benchmark.md).

\b
    python -m benchmarks.convert fundus path/to/fundus/tests/resources/parser/test_data corpora/fundus

TARGET gets gold.jsonl and pages/. Python source is read as a literal and never run. Pages without bytes are left out.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.support.common import Benchmark
from newscrawl.errors import CorpusError
from newscrawl.model.identity import registrable_domain
from newscrawl.model.wording import counted

MAX_NAME: Final = 120
_UNSAFE: Final = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Row:
    """A page to write."""

    id: str
    body: bytes
    gold: Mapping[str, Any] = field(default_factory=dict)


def from_pages_and_json(source: Path, target: Path) -> int:
    """Converts a folder with html/ID.html.gz (or .html) and one JSON file ID -> {articleBody, url}.

    The layout of article-extraction-benchmark, whose JSON file is ground-truth.json; SOURCE may name another JSON file
    that lies beside html/. The article may be under `articleBody`, `text` or `body`.
    """
    table = source if source.is_file() else source / "ground-truth.json"
    rows = _load_json(table)

    def pages() -> Iterator[Row]:
        for name, gold in rows.items():
            body = _page(table.parent / "html", name)
            text = next((gold[key] for key in ("articleBody", "text", "body") if gold.get(key)), None)
            if body is not None and text:
                yield Row(name, body, {"url": gold.get("url"), "title": gold.get("headline"), "text": text})

    return _write(target, pages())


def from_trafilatura(source: Path, target: Path) -> int:
    """Converts a dict URL -> {file, with, without, title, author, date}, as trafilatura's tests/evaldata.py or as JSON.

    Pages are searched in the folders beside the file, such as cache/ and eval/.
    """
    rows = _load_json(source) if source.suffix == ".json" else _load_literal(source)
    folders = [source.parent, *sorted(path for path in source.parent.iterdir() if path.is_dir())]

    def pages() -> Iterator[Row]:
        for url, gold in rows.items():
            name = str(gold.get("file", ""))
            path = next((folder / name for folder in folders if name and (folder / name).is_file()), None)
            if path is None:
                continue
            snippets = {"with": _texts(gold.get("with")), "without": _texts(gold.get("without"))}
            authors = [name.strip() for name in gold["author"].split(";")] if gold.get("author") else None
            facts = {"url": url, "title": gold.get("title"), "authors": authors, "date_published": gold.get("date")}
            yield Row(path.stem, path.read_bytes(), {**facts, "text": None, "extra": snippets})

    return _write(target, pages())


def from_fundus(source: Path, target: Path) -> int:
    """Converts the parser tests of fundus: COUNTRY/PUBLISHER.json by parser version, pages PUBLISHER_DATE.html.gz,
    meta.info.

    If a publisher has as many pages as versions, they are paired in order. Otherwise the newest of each is used.
    """

    def pages() -> Iterator[Row]:
        for table in sorted(source.glob("*/*.json")):
            known = _load_json(table.with_name("meta.info")) if table.with_name("meta.info").is_file() else {}
            files = sorted(path for path in table.parent.glob("*.html.gz") if _publisher(path) == table.stem)
            versions = [gold for _, gold in sorted(_load_json(table).items(), key=lambda item: _numbers(item[0]))]
            if len(files) != len(versions):
                files, versions = files[-1:], versions[-1:]
            for path, gold in zip(files, versions, strict=False):
                if text := _fundus_text(gold.get("body") or {}):
                    name = f"{table.parent.name}_{path.name.removesuffix('.html.gz')}"
                    facts = {"title": gold.get("title"), "authors": gold.get("authors"), "text": text}
                    facts |= {"url": known.get(path.name, {}).get("url"), "date_published": gold.get("publishing_date")}
                    yield Row(name, gzip.decompress(path.read_bytes()), facts)

    return _write(target, pages())


CONVERTERS: Final[Mapping[str, Callable[[Path, Path], int]]] = {
    "pages-and-json": from_pages_and_json,
    "trafilatura": from_trafilatura,
    "fundus": from_fundus,
}
"""Converters by layout. Each reads SOURCE, writes TARGET and returns the number of pages."""


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("layout", type=click.Choice(sorted(CONVERTERS)))
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.argument("target", type=click.Path(path_type=Path))
def main(*, layout: str, source: Path, target: Path) -> None:
    number = CONVERTERS[layout](source, target)
    click.echo(f"{counted(number, 'page')} in {target}: newscrawl bench quality {target}")


def _write(target: Path, rows: Iterator[Row]) -> int:
    """Writes a corpus. Raises CorpusError if the folder already has one."""
    gold = target / "gold.jsonl"
    if gold.exists():
        raise CorpusError(f"{gold} already exists: name another folder")
    (target / "pages").mkdir(parents=True, exist_ok=True)
    names: set[str] = set()
    lines = []
    for row in rows:
        name = _safe(row.id, names)
        (target / "pages" / f"{name}.html").write_bytes(row.body)
        url = row.gold.get("url")
        lines.append(json.dumps({"id": name, "domain": _domain(url), **row.gold}, ensure_ascii=False, default=str))
    if not lines:
        raise CorpusError(f"no page with its gold text found for {target}: does it have the named layout?")
    gold.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def _safe(name: str, taken: set[str]) -> str:
    """A valid file name for a page that no other page has."""
    safe = _UNSAFE.sub("-", name).strip("-.") or "page"
    if safe in taken or safe != name or len(safe) > MAX_NAME:
        safe = f"{safe[:MAX_NAME]}-{hashlib.blake2b(name.encode(), digest_size=4).hexdigest()}"
    while safe in taken:
        safe += "x"
    taken.add(safe)
    return safe


def _domain(url: object) -> str | None:
    return registrable_domain(url) if isinstance(url, str) and url else None


def _page(folder: Path, name: str) -> bytes | None:
    if "/" in name or "\0" in name:
        return None
    packed, plain = folder / f"{name}.html.gz", folder / f"{name}.html"
    if packed.is_file():
        return gzip.decompress(packed.read_bytes())
    return plain.read_bytes() if plain.is_file() else None


def _load_json(path: Path) -> dict[str, Any]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"cannot read {path} as JSON: {error}") from error
    if not isinstance(rows, dict):
        raise CorpusError(f"{path} is not one JSON object")
    return rows


def _load_literal(path: Path) -> dict[str, Any]:
    """The largest dict that a Python file assigns to a name at module level."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError) as error:
        raise CorpusError(f"cannot read {path} as Python: {error}") from error
    values = [node.value for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign) and node.value]
    dicts = [value for value in values if isinstance(value, ast.Dict)]
    if not dicts:
        raise CorpusError(f"{path} assigns no dict")
    try:
        found: dict[str, Any] = ast.literal_eval(max(dicts, key=lambda value: len(value.keys)))
    except ValueError as error:
        raise CorpusError(f"the dict in {path} is not made of plain values: {error}") from error
    return found


def _texts(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list | tuple) else []


def _publisher(path: Path) -> str:
    return re.sub(r"_\d{4}_\d\d?_\d\d?\.html\.gz$", "", path.name)


def _numbers(version: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", version)]


def _fundus_text(body: Mapping[str, Any]) -> str:
    """Summary, then each section's headline and paragraphs."""
    paragraphs = list(body.get("summary") or ())
    for section in body.get("sections") or ():
        paragraphs += [*(section.get("headline") or ()), *(section.get("paragraphs") or ())]
    return "\n\n".join(paragraphs)


if __name__ == "__main__":
    main()
