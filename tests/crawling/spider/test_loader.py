"""A file in spiders/ that cannot be read affects only its own sites, and is reported in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings

from newscrawl.crawling.spider.loader import Sites

GOOD = "from newscrawl.crawling.spider import NewsSpider\nclass Site(NewsSpider):\n    name = 'NAME'\n"
WRONG_HINT = GOOD.replace("NAME", "wrong") + "    hints = {'drop': 'div..box'}\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of spiders with two good files, one of them deeper."""
    folder = tmp_path / "odd_spiders"
    (folder / "deeper").mkdir(parents=True)
    for name in ("__init__.py", "deeper/__init__.py"):
        (folder / name).touch()
    (folder / "good.py").write_text(GOOD.replace("NAME", "good"))
    (folder / "deeper" / "other.py").write_text(GOOD.replace("NAME", "other"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.startswith("odd_spiders")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import json\n\ndef broken(:\n", "broken.py, line 3: SyntaxError"),
        ("\n\nraise RuntimeError('two\\nlines')\n", "broken.py, line 3: RuntimeError: two lines"),
        ("import sys\nsys.exit('bye')\n", "broken.py, line 2: SystemExit: it calls sys.exit('bye')"),
        ("import nosuchmodule\n", "broken.py, line 1: ModuleNotFoundError"),
        ("def f():\n    return 1 / 0\nf()\n", "broken.py, line 2: ZeroDivisionError"),
        (WRONG_HINT, "broken.py, line 2: UsageError: site 'wrong': hints: drop 'div..box': it is no CSS selector"),
    ],
)
def test_the_file_and_line_are_named_and_the_others_load(
    package: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    (package / "broken.py").write_text(text)
    loader = Sites.from_settings(Settings({"SPIDER_MODULES": ["odd_spiders"]}))
    assert sorted(loader.list()) == ["good", "other"]
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert line.endswith("the other sites continue")
    assert list(loader.broken) == ["odd_spiders.broken"]
