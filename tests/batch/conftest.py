"""Archives of a few pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from gzip import compress
from pathlib import Path

import pytest

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SENTENCE = "The council of district {0} met on Tuesday evening and spoke for four hours about the new bridge {0}. "
PORTUGUESE = "O conselho do bairro {0} reuniu-se na terça-feira à noite e discutiu a nova ponte {0} durante horas. "


def record(number: int, sentence: str, host: str) -> bytes:
    """A record of a page with an article of its own."""
    text = sentence.format(number) * 6
    dates = '<meta property="article:published_time" content="2026-10-31T10:00:00+01:00">'
    dates += '<meta property="article:modified_time" content="2026-13-31">'
    page = f"<title>Bridge {number}</title>{dates}<main><p>{text}</p><p>{text}</p></main>".encode()
    block = b'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: "7"\r\n\r\n' + page
    lines = [
        "WARC/1.0",
        "WARC-Type: response",
        "WARC-Record-ID: <urn:uuid:1>",
        f"WARC-Date: {NOW:%Y-%m-%dT%H:%M:%SZ}",
        f"WARC-Target-URI: https://www.{host}/2026/bridge-{number}",
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


@pytest.fixture
def archive(tmp_path: Path) -> Callable[..., Path]:
    """`archive("a.warc.gz", range(4))` writes a file with these pages and returns its path."""

    def write(name: str, numbers: Sequence[int], *, is_portuguese: bool = False, host: str = "harbour.example") -> Path:
        sentence = PORTUGUESE if is_portuguese else SENTENCE
        records = [record(number, sentence, host) for number in numbers]
        path = tmp_path / name
        path.write_bytes(b"".join(map(compress, records) if name.endswith(".gz") else records))
        return path

    return write
