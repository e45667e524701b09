"""Learning from examples which addresses are articles: habits of publishing systems, and real samples."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from newscrawl.discovery.links.learned_rules import ENOUGH, MAX_PATTERNS, learn_rules

SAMPLES = Path(__file__).parents[2] / "data" / "site_samples.json"
SITE = "https://news.example"
WORDS = ["bridge", "river", "mayor", "vote", "strike", "storm", "school", "budget", "court", "harbour", "tax", "fire"]
SERVICES = (
    "/ /index.html /tag/bridge-over-the-river/ /author/jane-doe/ /search?q=bridge /?s=bridge /login /account/login "
    "/reports/annual-report-of-the-year-2026.pdf /newsletter/ /feed/ /page/2/ /privacy-policy /contact-us /about-us"
).split()


def slug(number: int, words: int = 5) -> str:
    return "-".join(random.Random(number).sample(WORDS, words))


def place(number: int) -> str:
    return ("politics", "sport", "culture")[number % 3]


@dataclass(frozen=True)
class Habit:
    """How a system writes the address of its n-th article, and what else it has."""

    article: Callable[[int], str]
    others: tuple[str, ...] = ("/politics/", "/sport/", "/culture/", "/sport/football/")


HABITS = {
    "date path": Habit(
        lambda n: f"/2026/{n % 12 + 1:02}/{n % 28 + 1:02}/{slug(n)}/", ("/category/sport/", "/2026/03/", "/2026/")
    ),
    "plain slug": Habit(lambda n: f"/{slug(n)}/", ("/sport/", "/category/sport/", "/our-team/")),
    "node": Habit(lambda n: f"/node/{100_000 + 7 * n}", ("/taxonomy/term/123456", "/user/1234567", "/node")),
    "code in capitals": Habit(
        lambda n: f"/{place(n)}/{slug(n, 3)}-{'ABCDEFGHIJKLMNOPQRSTUV2345'[n % 7 :] + 'A2B3C4D'[: n % 7]}/"
    ),
    "month path": Habit(
        lambda n: f"/2026/{n % 12 + 1:02}/{slug(n, 2)}.html", ("/2026/03/", "/search/label/Sport", "/p/about.html")
    ),
    "number in the path, sections have numbers too": Habit(
        lambda n: f"/noticia/{200_000 + n}/{slug(n, 3)}",
        ("/seccion/10001/deportes", "/seccion/10002/cultura", "/noticia/"),
    ),
    "slug that ends in a number": Habit(
        lambda n: f"/{place(n)}/local/{slug(n)}_1_{3_000_000 + n}.html",
        ("/sport/", "/sport/local/", "/sport/local.html"),
    ),
    "number in the query": Habit(
        lambda n: f"/story.aspx?id={50_000 + n}",
        ("/list.aspx?section=3", "/list.aspx?page=12345", "/search.aspx?q=12345"),
    ),
    "below one folder": Habit(lambda n: f"/posts/{slug(n, 4)}/", ("/posts/", "/tags/bridge/", "/about/")),
    "short code": Habit(lambda n: f"/a/{'xK9zQ2mB7'[n % 4 :]}{n:03}aZ/{slug(n)}", ("/k/football", "/a/")),
    "name of the month": Habit(
        lambda n: f"/{place(n)}/2026/{('jan', 'feb', 'mar')[n % 3]}/{n % 28 + 1:02}/{slug(n)}", ("/sport/all", "/sport")
    ),
    "UUID": Habit(
        lambda n: f"/article/{slug(n, 3)}-{n:08x}-1c2d-4e3f-8a9b-00112233{n:04x}", ("/section/sport", "/article")
    ),
    "letters and number": Habit(
        lambda n: f"/news/{place(n)}/{slug(n)}-b{1_100_000 + n}.html", ("/news/sport", "/news")
    ),
    "no slug": Habit(lambda n: f"/c/2026-03-{n % 28 + 1:02}/{700_000 + n}.shtml", ("/c/", "/roll/", "/zt/olympics/")),
    "language first": Habit(lambda n: f"/{('en', 'es')[n % 2]}/{slug(n)}-{30_000 + n}", ("/en/", "/es/", "/en/sport")),
    "date with hyphens": Habit(lambda n: f"/2026-03-{n % 28 + 1:02}/{slug(n, 3)}", ("/archive", "/sport")),
}


@pytest.mark.parametrize("size", [4, ENOUGH, 60])
@pytest.mark.parametrize("name", HABITS)
def test_a_rule_from_samples_accepts_the_other_articles_and_refuses_all_else(name: str, size: int) -> None:
    habit = HABITS[name]
    addresses = [f"{SITE}{habit.article(number)}" for number in range(200)]
    others = [f"{SITE}{path}" for path in habit.others]
    learned = learn_rules(addresses[:size], others)
    missed = [url for url in addresses[size:] if not learned.rule.accepts(url)]
    assert len(missed) <= 0.05 * len(addresses[size:]), (learned.patterns, missed[:5])
    taken = [path for path in (*SERVICES, *habit.others) if learned.rule.accepts(f"{SITE}{path}")]
    assert not taken, learned.patterns


def test_from_many_samples_of_one_shape_one_expression_is_learned_and_it_is_explained() -> None:
    learned = learn_rules(f"{SITE}/{place(n)}/{slug(n)}-{1_000_000 + n}.html" for n in range(40))
    assert learned.patterns == (r"\-\d{6,}\.html$",)
    assert learned.meanings == ("a number at the end",)
    assert (learned.explained, learned.samples) == (40, 40)


def test_one_odd_address_among_many_samples_gets_no_expression_of_its_own() -> None:
    addresses = [f"{SITE}/{slug(n)}-{400_000 + n}.html" for n in range(60)]
    assert len(learn_rules([*addresses, f"{SITE}/special/olympics"]).patterns) == 1


def test_without_samples_nothing_is_learned_and_the_general_judgement_decides() -> None:
    learned = learn_rules([])
    assert learned.patterns == ()
    assert learned.rule.accepts(f"{SITE}/2026/03/02/{slug(1)}")


SHORT_NAMES = [
    *(f"https://harbour.example/news/{number}" for number in range(10)),
    *(f"https://harbour.example/news/{word}" for word in ("ferry", "moved", "plain", "long")),
]


@pytest.mark.parametrize("others", [[], ["https://harbour.example/section/", "https://harbour.example/news/"]])
def test_short_names_in_one_folder_give_the_folder(others: list[str]) -> None:
    learned = learn_rules(SHORT_NAMES, others)
    assert (learned.patterns, learned.meanings) == (("^/news/[^/]",), ("addresses in /news/",))
    assert (learned.explained, learned.samples, learned.wrongly_accepted) == (14, 14, ())


@pytest.mark.parametrize(
    ("samples", "others"),
    [
        (SHORT_NAMES, ["https://harbour.example/news/sport"]),  # sections are in the folder, too
        ([*SHORT_NAMES, "https://harbour.example/city/bridge"], []),
        (SHORT_NAMES[:5], []),
        ([url.replace("/news/", "/en/") for url in SHORT_NAMES], []),
        ([url.replace("/news/", "/2026/") for url in SHORT_NAMES], []),
    ],
)
def test_a_folder_that_other_addresses_share_or_few_samples_prove_is_no_rule(
    samples: list[str], others: list[str]
) -> None:
    assert not [pattern for pattern in learn_rules(samples, others).patterns if pattern.endswith("/[^/]")]


def test_addresses_that_share_nothing_are_not_listed_one_by_one() -> None:
    addresses = [f"{SITE}/{letter}{letter}/{letter * 3}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert len(learn_rules(addresses).patterns) <= MAX_PATTERNS


def test_learning_from_half_of_the_known_addresses_finds_the_other_half() -> None:
    """The addresses that the declared sites are tested with."""
    found = wanted = 0
    for name, addresses in json.loads(SAMPLES.read_text(encoding="utf-8")).items():
        shuffled = random.Random(name).sample(addresses, len(addresses))
        half = -(-len(shuffled) // 2)
        rule = learn_rules(shuffled[:half]).rule
        wanted += len(shuffled) - half
        found += sum(rule.accepts(url) for url in shuffled[half:])
    assert wanted > 20
    assert found >= 0.95 * wanted


def test_learning_takes_time_in_proportion_to_the_samples(doubling: Callable[..., None]) -> None:
    def addresses(n: int) -> list[str]:
        return [f"{SITE}/{place(k)}/{slug(k)}-{1_000_000 + k}.html" for k in range(n)]

    doubling(learn_rules, addresses, 480, factor=3.2)  # with fewer, new words still bring new marks
