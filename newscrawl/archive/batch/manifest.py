"""The manifest of a place of parts: what decides its rows, and the state of every span.

It is created once, and a batch with another digest is refused, so that parts of different options or versions are never
mixed. What counts as done is decided by the parts that exist: a manifest that was written before the last of them
merely lacks some.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final

from newscrawl.archive.batch.digest import extractor_digest
from newscrawl.archive.batch.part_names import MANIFEST
from newscrawl.archive.batch.parts import PartResult, PartSpan
from newscrawl.archive.batch.planning import BatchFile
from newscrawl.archive.places import Place
from newscrawl.config.version import version
from newscrawl.errors import UsageError

FORMAT: Final = 1


@dataclass
class Manifest:
    """The settings that decide the rows of a place, its files by name, and the state of their spans by the name of the
    part: a PartResult, the reason of a failure, or None for a span that is not done."""

    digest: str
    as_of: datetime
    span_bytes: int
    options: Mapping[str, Any]
    newscrawl: str = field(default_factory=version)
    extractor: str = field(default_factory=extractor_digest)
    files: dict[str, BatchFile] = field(default_factory=dict)
    spans: dict[str, PartSpan] = field(default_factory=dict)
    states: dict[str, PartResult | str | None] = field(default_factory=dict)

    def add(self, files: Sequence[BatchFile]) -> None:
        """Adds files and their spans. Raises UsageError for a file whose content is another than before."""
        for file in files:
            known = self.files.setdefault(file.shown, file)
            if known.key != file.key:
                raise UsageError(f"{file.shown} has changed since parts of it were made: give another --to")
            for span in file.spans(self.span_bytes):
                self.spans[span.part(self.digest)] = span
                self.states.setdefault(span.part(self.digest), None)

    def check(self, digest: str, options: Mapping[str, Any], place: str) -> None:
        """Raises UsageError if the parts of this place have another digest."""
        if digest == self.digest:
            return
        other = [f"{name} is {_short(self.options.get(name))} there" for name in _changed(self.options, options)]
        reason = ", ".join(other) or f"newscrawl {self.newscrawl} or its packages had other code there"
        raise UsageError(
            f"{place} has parts of another digest, which are not mixed: {reason}; give another --to, or the same "
            "options and version"
        )

    def content(self) -> bytes:
        """Returns the manifest as JSON."""
        files = [asdict(file) | {"file": file.shown} for file in self.files.values()]
        values: dict[str, Any] = {
            "format": FORMAT,
            "digest": self.digest,
            "newscrawl": self.newscrawl,
            "extractor": self.extractor,
            "as_of": self.as_of.isoformat(),
            "span_bytes": self.span_bytes,
            "options": self.options,
            "files": files,
        }
        values["spans"] = [self._line(name) for name in self.states]
        return json.dumps(values, indent=1).encode()

    def _line(self, name: str) -> dict[str, Any]:
        span, state = self.spans[name], self.states[name]
        line = {"part": name, "key": span.key, "offset": span.offset, "length": span.length}
        if state is None:
            return line | {"state": "waiting"}
        return line | (
            {"state": "failed", "reason": state} if isinstance(state, str) else {"state": "done"} | asdict(state)
        )


def read(place: Place) -> Manifest | None:
    """Returns the manifest of a place; None without one. Raises UsageError if it cannot be read."""
    try:
        return _manifest(json.loads(place.read(MANIFEST)))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{place.address} has a {MANIFEST} that this version cannot read ({type(error).__name__}: {error}): give "
            "another --to"
        ) from error


def _manifest(values: dict[str, Any]) -> Manifest:
    if values["format"] != FORMAT:
        raise ValueError(f"format {values['format']}")
    files = [BatchFile(**each) for each in values["files"]]
    names = ("digest", "span_bytes", "options", "newscrawl", "extractor")
    found = Manifest(as_of=datetime.fromisoformat(values["as_of"]), **{name: values[name] for name in names})
    found.files = {file.shown: file for file in files}
    of_key = {file.key: file for file in files}
    for line in values["spans"]:
        file = of_key[line["key"]]
        found.spans[line["part"]] = PartSpan(file.file, file.key, line["offset"], line["length"], file.is_compressed)
        found.states[line["part"]] = _state(line)
    return found


def _state(line: Mapping[str, Any]) -> PartResult | str | None:
    if line["state"] == "done":
        return PartResult(line["rows"], line["articles"], line["failures"])
    return str(line["reason"]) if line["state"] == "failed" else None


def _changed(there: Mapping[str, Any], here: Mapping[str, Any]) -> Iterable[str]:
    return (name for name in here if json.dumps(there.get(name)) != json.dumps(here[name]))


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
