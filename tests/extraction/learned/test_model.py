"""The weights in the wheel: small, read once, the same bytes in each training, and good for a plain article in
several scripts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files

import numpy as np
import pytest
from patience import PATIENCE

from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.learned import select, select_dragnet
from newscrawl.extraction.learned.choose import choose
from newscrawl.extraction.learned.model import (
    ENOUGH_PAGES,
    WEIGHTS_FILE,
    Linear,
    Model,
    ModelOutput,
    load,
    pack,
    script_of,
    unpack,
)
from newscrawl.extraction.learned.trees import Trees
from newscrawl.page import Page, parse

MEGABYTE = 1024 * 1024


def test_the_weights_file_is_at_most_two_megabytes() -> None:
    assert len((files("newscrawl.extraction.learned") / WEIGHTS_FILE).read_bytes()) <= 2 * MEGABYTE


def test_the_weights_are_read_once() -> None:
    assert load() is load()


def test_a_packed_model_comes_back_and_gives_the_same_bytes(random_trees: Callable[..., Trees]) -> None:
    linear = Linear(np.zeros(2, np.float32), np.ones(2, np.float32), np.ones(2, np.float32), 0.5)
    trees = random_trees(2, 2, 3), random_trees(3, 1, 3)
    model = Model({"story": 1.5, "ad": -2.0}, *trees, linear, {"LATIN": 200, "CJK": 30})
    data = pack(model)
    again = unpack(data)
    assert again.names == model.names
    assert again.scripts == model.scripts
    assert again.first.value.tolist() == model.first.value.tolist()
    assert again.dragnet.base == 0.5
    assert pack(again) == data


def test_the_packages_model_packs_to_its_own_file() -> None:
    again = unpack(pack(load()))
    assert again.names == load().names
    assert again.second.threshold.tolist() == load().second.threshold.tolist()


def test_best_gives_the_paragraphs_and_nothing_else(article_page: Page, paragraphs: tuple[str, ...]) -> None:
    extraction = run_chain(article_page, resolve("best"))
    assert extraction.extractor == "learned"
    assert extraction.text == "\n\n".join(paragraphs)


def test_dragnet_finds_the_paragraphs(article_page: Page, paragraphs: tuple[str, ...]) -> None:
    texts = [article_page.runs[i].text for i in select_dragnet(article_page)]
    assert set(paragraphs) <= set(texts)
    assert "Section 3" not in texts


def test_the_same_page_gives_the_same_scores(article_page: Page) -> None:
    assert load().scores(article_page).tolist() == load().scores(article_page).tolist()


@pytest.mark.parametrize(
    "html", ["", "<p></p>", "word", "<frameset><frame></frameset>", "\0" * 9, "<a href=x>x</a>" * 50]
)
def test_a_page_without_an_article_gives_no_exception(html: str) -> None:
    page = parse(html)
    assert set(select(page)) <= set(range(len(page.runs)))
    assert set(select_dragnet(page)) <= set(range(len(page.runs)))
    run_chain(page, resolve("best"))


PROGRAM = """
import sys
from newscrawl.extraction.learned.model import load
from newscrawl.page import parse
print(load().scores(parse(sys.stdin.buffer.read())).tobytes().hex())
"""


def test_another_process_gives_the_same_scores() -> None:
    """Sets of words come in another order there."""
    words = "".join(f"<div class='story body{i} teaser'><p>Word {i} and more of it.</p></div>" for i in range(30))
    html = f"<title>Word 1 and more</title><body><article>{words}</article>".encode()
    answers = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=html,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert len(answers.pop()) > 30


def test_on_doubt_the_learned_step_selects_nothing(article_page: Page) -> None:
    unsure = np.full(len(article_page.runs), 0.55, np.float32)
    everything = tuple(range(len(article_page.runs)))
    assert choose(article_page, ModelOutput(unsure, unsure, everything)) == ()
    assert choose(article_page, ModelOutput(unsure, np.zeros_like(unsure), everything)) == ()


def test_a_script_that_few_pages_taught_asks_for_more_outside_of_classics_choice(article_page: Page) -> None:
    likely = np.full(len(article_page.runs), 0.7, np.float32)
    assert choose(article_page, ModelOutput(likely, likely, (3, 4))) == tuple(range(len(likely)))
    assert choose(article_page, ModelOutput(likely, likely, (3, 4), known_script=False)) == (3, 4)


def test_the_packages_model_knows_latin_and_greek_but_little() -> None:
    scripts = load().scripts
    assert scripts["LATIN"] >= ENOUGH_PAGES > scripts.get("GREEK", 0)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The council met.", "LATIN"),
        ("Η βουλή συνεδρίασε.", "GREEK"),
        ("Совет собрался во вторник.", "CYRILLIC"),
        ("市議会は火曜日に開かれた。", "CJK"),
        ("의회가 화요일에 열렸다.", "HANGUL"),
        ("2024 / 12", ""),
    ],
)
def test_a_page_is_in_the_script_of_its_paragraphs(text: str, script: str) -> None:
    assert script_of(parse(f"<ul><li><a href=/>RSS</a></ul><p>{text * 4}</p>" if script else text)) == script


def test_what_the_learned_step_leaves_is_classics(article_page: Page) -> None:
    best, classic = resolve("best"), resolve("classic")
    assert [step.name for step in best.steps] == ["learned", *(step.name for step in classic.steps)]


def test_chinese_paragraphs_are_found_though_they_have_no_blanks() -> None:
    sentences = [
        "市议会周二晚上开会，就新桥的建设作出决定，两百多名市民前来旁听，会议一直持续到深夜才结束。",
        "“我们为此已经等了二十年，”市长说，她在第一次当选的时候就曾经承诺要在河上修建这座大桥。",
        "议会的工程师表示，工程将于明年春天开工，预计在后年年底之前全部完成，总投资约为三亿元。",
    ]
    menu = "".join(f"<li><a href='/{i}'>频道{i}</a></li>" for i in range(10))
    text = "".join(f"<p>{sentence}</p>" for sentence in sentences * 2)
    page = parse(
        f"<html lang=zh><head><title>新桥</title></head><body><ul class=nav>{menu}</ul><h1>新桥</h1>"
        f"<div class='article-content'>{text}</div><div class=footer><a href=/>版权所有</a></div></body></html>"
    )
    kept = [page.runs[i].text for i in select(page)]
    assert kept == sentences * 2


@pytest.mark.parametrize("piece", ["<p>short x</p>", "<div>", "<li class=a><a href=/>more</a></li>", "中<br><br>"])
def test_time_grows_in_proportion_to_the_page(doubling: Callable[..., None], piece: str) -> None:
    load()
    doubling(lambda page: load().scores(page), lambda n: parse("<body>" + f"{piece}word " * n), 400)
