"""Corpora of real pages with gold texts, from a folder or an archive.

The layout (docs/how-to/benchmark.md): a folder NAME, or NAME.tar.xz (.tar, .tar.gz, .tar.bz2) holding it, with
`gold.jsonl` and `pages/<id>.html` (raw bytes as served). `gold.jsonl` has one object for each page, with at least `id`
and either `text` or, in `extra`, snippets: `with` lists pieces that the article's text must contain, `without` pieces
that it must not contain. Optional: url, lang, domain, title, authors, date_published, and in `extra` `text_no_title`
(the text without its headline, used instead of `text`).
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from newscrawl.errors import CorpusError, UsageError

ARCHIVE_SUFFIXES: Final = (".tar.xz", ".tar.gz", ".tgz", ".tar.bz2", ".tar")
"""Endings of archives. For a name without an ending they are tried in this order."""


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page of a corpus: its gold data and the path of its bytes."""

    id: str
    path: Path
    text: str
    """The article without its headline if the corpus has that, else with it. May be empty in a faulty corpus."""
    url: str | None = None
    language: str | None = None
    domain: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None
    """The publication date as written in the corpus."""
    required: tuple[str, ...] = ()
    """Snippets that the article's text contains."""
    forbidden: tuple[str, ...] = ()
    """Snippets of the page that the article's text does not contain."""

    def body(self) -> bytes:
        """Returns the page's bytes as the server sent them."""
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
    """Digest of the whole corpus (gold file, names and sizes of the pages), also if this is a sample."""

    def sample(self, size: int | None) -> Corpus:
        """Returns at most `size` pages in the corpus's order. The same pages are chosen each time, by a hash of their
        ids."""
        if size is None or size >= len(self.pages):
            return self
        chosen = {page.id for page in sorted(self.pages, key=lambda page: _rank(page.id))[:size]}
        return Corpus(self.name, tuple(page for page in self.pages if page.id in chosen), self.digest)


def read_corpus(path: Path, *, limit: int | None = None, cache: Path | None = None) -> Corpus:
    """Reads the corpus at `path`, a folder or an archive. If it does not exist, NAME.tar.xz and so on are tried.

    An archive is unpacked once into `cache` (default: a folder of this user in the temporary directory), and again when
    it changes. Raises CorpusError for missing or malformed files.
    """
    folder = path.resolve() if path.is_dir() else _unpacked(_archive(path), cache or default_cache())
    gold = folder / "gold.jsonl"
    if not gold.is_file():
        raise CorpusError(f"no corpus in {folder}: gold.jsonl is missing")
    with gold.open(encoding="utf-8") as lines:
        pages = tuple(_gold_page(row, folder) for row in _rows(lines, gold))
    return Corpus(_name(path), pages, _digest(gold, pages)).sample(limit)


def find_corpora(folder: Path) -> list[Path]:
    """Returns the corpora in `folder`, sorted by name: folders with a gold file, and archives. A folder is preferred to
    an archive of the same name."""
    if not folder.is_dir():
        raise CorpusError(f"no folder {folder}: name a folder that holds corpora")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.name.endswith(ARCHIVE_SUFFIXES):
            found.setdefault(_name(path), path)
        elif (path / "gold.jsonl").is_file():
            found[path.name] = path
    return [found[name] for name in sorted(found)]


def named_corpora(names: Sequence[str], folder: Path, *, limit: int | None = None) -> list[Corpus]:
    """Reads corpora by the names that they have in `folder`, or by paths; without names all in the folder. Raises
    UsageError if there is neither, CorpusError as `read_corpus`."""
    if names:
        paths = [Path(name) if os.sep in name or Path(name).exists() else folder / name for name in names]
    elif folder.is_dir():
        paths = find_corpora(folder)
    else:
        raise UsageError(f"no corpora in {folder}: name a corpus, or the folder that holds some with --corpora")
    return [read_corpus(path, limit=limit) for path in paths]


def default_cache() -> Path:
    """Returns the folder for unpacked archives. Only this user can write to it."""
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
    """The folder of an unpacked archive that has the gold file: NAME, the top, or another folder."""
    candidates = [place / name, place, *sorted(place.iterdir())]
    return next((folder for folder in candidates if (folder / "gold.jsonl").is_file()), place / name)


def _digest(gold: Path, pages: Iterable[GoldPage]) -> str:
    """A digest of the gold file and of the names and sizes of the pages. No page is read."""
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
    """Gives the complete folder its name. Another process may already have done this with the same content."""
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
