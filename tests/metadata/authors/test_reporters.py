"""Reporters whose job is written beside the name, in scripts without capitals."""

from __future__ import annotations

import pytest

from newscrawl.extraction.metadata.authors.bylines import MAX_RUNS
from tests.metadata.conftest import Read

HEADLINE = "<h1>港口大桥项目获批</h1>"
TEXT = "<p>" + "港口城市议会星期一召开会议，讨论大桥的建设费用，预算已经翻了一番。" * 4 + "</p>"

LINES = [
    ("作者：王小明", ("王小明",)),
    ("2024年05月12日 10:20 来源：港口日报 作者：王小明 编辑：李华", ("王小明",)),
    ("本报记者 张三丰", ("张三丰",)),
    ("记者 王小明 李华", ("王小明", "李华")),
    ("2024年11月20日 08:30 来源：港口社 记者 王芳 通讯员 陈强", ("王芳", "陈强")),
    ("記者陳小明／台北報導", ("陳小明",)),
    ("文／陳小明", ("陳小明",)),
    ("港口社北京5月12日电（记者王小明、李华）港口城市议会", ("王小明", "李华")),
    ("김철수 기자 kim@example.org", ("김철수",)),
    ("서울=김철수 특파원", ("김철수",)),
    ("记者手记", ()),
    ("记者 观察", ()),
    ("记者从市政府获悉", ()),
    ("다른 기자", ()),
    ("기자의 다른 기사", ()),
]


@pytest.mark.parametrize(("line", "names"), LINES)
def test_a_line_names_its_reporters(read: Read, line: str, names: tuple[str, ...]) -> None:
    assert read(body=f"{HEADLINE}<p>{line}</p>{TEXT}").authors == names


def test_the_first_line_with_a_reporter_below_the_headline_counts(read: Read) -> None:
    assert read(body=f"<p>记者 李华</p>{HEADLINE}<p>本报记者 王小明</p>{TEXT}<p>记者 张三丰</p>").authors == ("王小明",)
    assert read(body=f"{HEADLINE}<p>港口社5月12日电（记者 王小明）{TEXT}").authors == ("王小明",)
    assert read(body=f"{HEADLINE}{TEXT * MAX_RUNS}<p>记者 王小明</p>").authors == ()
