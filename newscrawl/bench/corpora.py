"""Corpora of real pages with gold texts, from a folder or an archive.

The layout (docs/how-to/benchmark.md): a folder NAME, or NAME.tar.xz (.tar, .tar.gz, .tar.bz2) holding it, with
`gold.jsonl` and `pages/<id>.html` (raw bytes as served). `gold.jsonl` has one object a page with at least `id` and
either `text` or, in `extra`, snippets: `with` and `without`, lists of pieces that the article's text has and must not
have; read besides: url, lang, domain, title, authors, date_published, and in `extra` `text_no_title` (the text without
its headline, preferred to `text` where present).
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from newscrawl.errors import CorpusError

ARCHIVE_SUFFIXES: Final = (".tar.xz", ".tar.gz", ".tgz", ".tar.bz2", ".tar")
"""Archives that are read; where a corpus is named without one, they are tried in this order."""


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page of a corpus: what people say its article is, and where its bytes are."""

    id: str
    path: Path
    text: str
    """The article without its headline where the corpus has that, else with it; may be empty in a faulty corpus."""
    url: str | None = None
    language: str | None = None
    domain: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None
    """The publication date as the corpus writes it."""
    required: tuple[str, ...] = ()
    """Snippets that the article's text has, where the corpus has no full text or has them besides."""
    forbidden: tuple[str, ...] = ()
    """Snippets of the same page that are not the article's."""

    def body(self) -> bytes:
        """The page's bytes as served."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError as error:
            raise CorpusError(f"corpus page {self.path} is missing: unpack the corpus again") from error


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus's pages in the order of its gold file."""

    name: str
    pages: tuple[GoldPage, ...]
    digest: str = ""
    """Of the whole corpus, also where this is a sample of it: gold file, names and sizes of the pages."""

    def sample(self, size: int | None) -> Corpus:
        """At most `size` pages, always the same ones (those whose ids hash lowest), in the corpus's order."""
        if size is None or size >= len(self.pages):
            return self
        chosen = {page.id for page in sorted(self.pages, key=lambda page: _rank(page.id))[:size]}
        return Corpus(self.name, tuple(page for page in self.pages if page.id in chosen), self.digest)


def read_corpus(path: Path, *, limit: int | None = None, cache: Path | None = None) -> Corpus:
    """The corpus at `path`, a folder or an archive; where that is neither, NAME.tar.xz and so on beside it are tried.

    An archive is unpacked once into `cache` (default: a folder of this user's in the temporary directory) and found
    there again until the archive changes. Raises CorpusError for what is missing or malformed.
    """
    folder = path.resolve() if path.is_dir() else _unpacked(_archive(path), cache or default_cache())
    gold = folder / "gold.jsonl"
    if not gold.is_file():
        raise CorpusError(f"no corpus in {folder}: gold.jsonl is missing")
    with gold.open(encoding="utf-8") as lines:
        pages = tuple(_gold_page(row, folder) for row in _rows(lines, gold))
    return Corpus(_name(path), pages, _digest(gold, pages)).sample(limit)


def find_corpora(folder: Path) -> list[Path]:
    """The corpora in `folder`, by name: folders with a gold file, and archives; a folder before its own archive."""
    if not folder.is_dir():
        raise CorpusError(f"no folder {folder}: name a folder that holds corpora")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.name.endswith(ARCHIVE_SUFFIXES):
            found.setdefault(_name(path), path)
        elif (path / "gold.jsonl").is_file():
            found[path.name] = path
    return [found[name] for name in sorted(found)]


def read_oracle(path: Path) -> dict[str, Mapping[str, str]]:
    """Texts that another implementation gives for a corpus's pages: page id -> recipe -> text, from NAME.jsonl.xz."""
    if not path.is_file():
        raise CorpusError(f"no oracle at {path}")
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return {row.pop("id"): {key: text or "" for key, text in row.items()} for row in _rows(lines, path)}


def default_cache() -> Path:
    """Where archives are unpacked: a folder that only this user can write."""
    folder = Path(tempfile.gettempdir()) / f"newscrawl-corpora-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.is_symlink():
        raise CorpusError(f"{folder} belongs to somebody else: remove it or set TMPDIR")
    return folder


def _name(path: Path) -> str:
    for suffix in ARCHIVE_SUFFIXES:
        if path.name.endswith(suffix):
            return path.name.removesuffix(suffix)
    return path.resolve().name


def _archive(path: Path) -> Path:
    if path.name.endswith(ARCHIVE_SUFFIXES):
        candidates = [path]
    else:
        candidates = [path.with_name(path.name + suffix) for suffix in ARCHIVE_SUFFIXES]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise CorpusError(f"no corpus at {path}: neither a folder nor an archive {candidates[0].name}")


def _unpacked(archive: Path, cache: Path) -> Path:
    state = archive.stat()
    key = hashlib.blake2b(
        f"{archive.resolve()} {state.st_size} {state.st_mtime_ns}".encode(), digest_size=8
    ).hexdigest()
    place = cache / key
    if not place.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix="unpacking-", dir=cache))
        try:
            _unpack(archive, work)
            _publish(work, place)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return _corpus_folder(place, _name(archive))


def _corpus_folder(place: Path, name: str) -> Path:
    """Where an unpacked archive's gold file is: in NAME, at its top, or in its only folder that has one."""
    candidates = [place / name, place, *sorted(place.iterdir())]
    return next((folder for folder in candidates if (folder / "gold.jsonl").is_file()), place / name)


def _digest(gold: Path, pages: Iterable[GoldPage]) -> str:
    """Changes with the gold file and with the names and sizes of the pages; reads no page."""
    digest = hashlib.blake2b(gold.read_bytes(), digest_size=16)
    for page in pages:
        size = page.path.stat().st_size if page.path.is_file() else -1
        digest.update(f"\0{page.id}\0{size}".encode())
    return digest.hexdigest()


def _unpack(archive: Path, folder: Path) -> None:
    try:
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise CorpusError(f"cannot unpack {archive}: {error}") from error


def _publish(work: Path, place: Path) -> None:
    """Give the finished folder its name at once; another process may have been faster with the same content."""
    try:
        work.rename(place)
    except OSError:
        if not place.is_dir():
            raise


def _rows(lines: Iterable[str], source: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise CorpusError(f"{source} line {number} is not JSON: {error}") from error
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            raise CorpusError(f"{source} line {number} is not an object with an id")
        yield row


def _gold_page(row: Mapping[str, Any], folder: Path) -> GoldPage:
    name = row["id"]
    if "/" in name or "\0" in name:
        raise CorpusError(f"page id {name!r} in {folder / 'gold.jsonl'} is no file name")
    extra = row.get("extra") or {}
    text = extra.get("text_no_title")
    return GoldPage(
        id=name,
        path=folder / "pages" / f"{name}.html",
        text=(row.get("text") or "") if text is None else text,
        url=row.get("url"),
        language=row.get("lang"),
        domain=row.get("domain"),
        title=row.get("title"),
        authors=tuple(row.get("authors") or ()),
        published=row.get("date_published"),
        required=tuple(filter(None, extra.get("with") or ())),
        forbidden=tuple(filter(None, extra.get("without") or ())),
    )


def _rank(page_id: str) -> bytes:
    return hashlib.blake2b(page_id.encode(), digest_size=8).digest()
