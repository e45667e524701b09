"""Archives of a few pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gzip import compress
from pathlib import Path

import pytest
from warc_files import SENTENCE, page_record, story

PORTUGUESE = "O conselho do bairro {0} reuniu-se na terça-feira à noite e discutiu a nova ponte {0} durante horas. "
DATES = """<meta property="article:published_time" content="2026-10-31T10:00:00+01:00">
<meta property="article:modified_time" content="2026-13-31">"""


@pytest.fixture
def archive(tmp_path: Path) -> Callable[..., Path]:
    """`archive("a.warc.gz", range(4))` writes a file with these pages and returns its path."""

    def write(name: str, numbers: Sequence[int], *, is_portuguese: bool = False, host: str = "harbour.example") -> Path:
        sentence = PORTUGUESE if is_portuguese else SENTENCE
        records = [
            page_record(f"https://www.{host}/2026/bridge-{number}", story(number, DATES, sentence), 'ETag: "7"')
            for number in numbers
        ]
        path = tmp_path / name
        path.write_bytes(b"".join(map(compress, records) if name.endswith(".gz") else records))
        return path

    return write
