"""Texts for the benchmark of near-duplicates: articles of the corpora in six languages, changed by known operations."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from newscrawl.bench.corpora import find_corpora, read_corpus
from newscrawl.page.words import count_words

LANGUAGES: Final = ("en", "zh", "el", "pl", "ru", "de")
MAX_A_LANGUAGE: Final = 1_000
"""Articles: English has many more than the others."""
MIN_WORDS: Final = 80
MAX_WORDS: Final = 3_000

SHARED: Final = 0.25
MIN_SENTENCE: Final = 12
"""Characters without blanks and marks; what is shorter says nothing of whose it is."""

LINES: Final[Mapping[str, Sequence[str]]] = {
    "en": (
        "Advertisement",
        "Sign up for our newsletter and never miss a story",
        "Read more: what we know so far",
        "Reporting by our staff; editing by the news desk",
    ),
    "de": (
        "Anzeige",
        "Jetzt unseren Newsletter abonnieren und nichts verpassen",
        "Lesen Sie auch: Was bisher bekannt ist",
        "Mit Material der Nachrichtenagenturen",
    ),
    "pl": (
        "Reklama",
        "Zapisz się do naszego newslettera i bądź na bieżąco",
        "Czytaj także: co wiemy do tej pory",
        "Opracowanie: redakcja, na podstawie depesz agencyjnych",
    ),
    "ru": (
        "Реклама",
        "Подпишитесь на нашу рассылку и читайте новости первыми",
        "Читайте также: что известно к этому часу",
        "По материалам информационных агентств",
    ),
    "el": (
        "Διαφήμιση",
        "Εγγραφείτε στο ενημερωτικό μας δελτίο",
        "Διαβάστε επίσης: τι γνωρίζουμε ως τώρα",
        "Με πληροφορίες από τα πρακτορεία ειδήσεων",
    ),
    "zh": (
        "广告",
        "订阅我们的新闻邮件，不错过任何消息",
        "相关阅读：目前我们知道的情况",
        "本报记者综合通讯社消息报道",
    ),
}
"""Adverts, calls and agency lines as papers print them."""

HEADERS: Final[Mapping[str, str]] = {
    "en": "HARBOURTON (Agency) - ",
    "de": "Hafenstadt (Agentur) - ",
    "pl": "PORTOWO (Agencja) - ",
    "ru": "ПОРТОВЫЙ (Агентство) - ",
    "el": "ΛΙΜΑΝΙ (Πρακτορείο) - ",
    "zh": "海港通讯社海港市电 ",
}

_SENTENCE: Final = re.compile(r"[^.!?。！？…\n]+[.!?。！？…]*[\"”»」]*\s*|\n+")
PIECES: Final = re.compile(r"[\u3400-\u9fff]{1,2}|[^\s\u3400-\u9fff]+")
_NAMES: Final = re.compile(r"\b(?:[A-ZÄÖÜŁŚŻА-ЯΑ-Ω][\w’'-]+|\d[\d.,]*)")


@dataclass(frozen=True, slots=True)
class Made:
    """A text, the number of the article it was made from, and the operation."""

    family: int
    operation: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Base:
    """An article of a corpus, and other articles from which to take text: of its site or, if there are none, of its
    language."""

    text: str
    language: str
    neighbour: str
    boilerplate: str
    foreign: str


Operation = Callable[[Base, random.Random], str]


def make_texts(folder: Path, limit: int | None = None) -> list[Made]:
    """Every article of the corpora in `folder` with what the operations make of it; always the same."""
    made = []
    for family, base in enumerate(bases(folder, limit)):
        chance = random.Random(family)
        made.append(Made(family, "original", base.language, base.text))
        made += [Made(family, name, base.language, operation(base, chance)) for name, operation in OPERATIONS.items()]
    return made


def bases(folder: Path, limit: int | None = None) -> list[Base]:
    """The articles: those of one language and text once, at most `MAX_A_LANGUAGE` (or `limit`) of each."""
    of_language: dict[str, dict[str, tuple[str, str]]] = {language: {} for language in LANGUAGES}
    for path in find_corpora(folder):
        for page in read_corpus(path).pages:
            language = (page.language or "")[:2]
            if language in of_language and MIN_WORDS <= count_words(page.text) <= MAX_WORDS:
                of_language[language].setdefault(page.text[:200], (page.domain or path.name, page.text))
    found = []
    for place, language in enumerate(LANGUAGES):
        texts = without_duplicates(list(of_language[language].values()))
        random.Random(language).shuffle(texts)
        others = [text for _, text in of_language[LANGUAGES[place - 1]].values()]
        found += _with_neighbours(language, texts[: limit or MAX_A_LANGUAGE], others)
    return found


def _with_neighbours(language: str, texts: Sequence[tuple[str, str]], others: Sequence[str]) -> list[Base]:
    of_site: dict[str, list[str]] = defaultdict(list)
    for site, text in texts:
        of_site[site].append(text)
    chance = random.Random(f"neighbours {language}")
    shared = {site: "".join(sentences(chance.choice(texts)[1])[-4:]) for site in sorted(of_site)}
    found = []
    for site, text in texts:
        near = [other for other in of_site[site] if other != text] or [t for _, t in texts if t != text]
        found.append(Base(text, language, chance.choice(near), shared[site], chance.choice(others)))
    return found


def without_duplicates(texts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The texts that do not have `SHARED` of their sentences, by characters, in common with an earlier one: corpora
    hold an article twice now and then, and who finds that makes no mistake."""
    kept: list[tuple[str, str]] = []
    holders: dict[str, list[int]] = defaultdict(list)
    sizes: list[int] = []
    for site, text in texts:
        parts = {part for part in (re.sub(r"\W+", "", part) for part in sentences(text)) if len(part) >= MIN_SENTENCE}
        size = sum(map(len, parts))
        common: dict[int, int] = defaultdict(int)
        for part in parts:
            for holder in holders[part]:
                common[holder] += len(part)
        if any(shared >= SHARED * min(size, sizes[holder]) for holder, shared in common.items()):
            continue
        for part in parts:
            holders[part].append(len(kept))
        sizes.append(size)
        kept.append((site, text))
    return kept


def sentences(text: str) -> list[str]:
    """Splits the text into pieces. Joined, they give the text again."""
    return _SENTENCE.findall(text)


def adverts(base: Base, chance: random.Random) -> str:
    """Inserts two to four foreign lines between the sentences."""
    parts = sentences(base.text)
    for _ in range(chance.randint(2, 4)):
        parts.insert(chance.randrange(len(parts) + 1), f"\n{chance.choice(LINES[base.language])}\n")
    return "".join(parts)


def cut_end(base: Base, chance: random.Random) -> str:
    """Removes the last 5 to 25 %."""
    return base.text[: int(len(base.text) * chance.uniform(0.75, 0.95))]


def new_lead(base: Base, chance: random.Random) -> str:
    """Replaces the first tenth by another text."""
    lead = "".join(sentences(base.neighbour)[1:3])[: max(80, len(base.text) // 5)]
    return f"{lead}\n\n{base.text[len(base.text) // 10 :]}"


def agency(base: Base, chance: random.Random) -> str:
    """Adds the header and the last line of an agency, and sometimes removes the last paragraph."""
    text = base.text if chance.random() < 0.5 else cut_end(base, chance)
    return f"{HEADERS[base.language]}{text}\n\n{LINES[base.language][3]}"


def additions(base: Base, chance: random.Random) -> str:
    """An agency's text with a fifth to a half as much again of the paper's own: a lead, and what follows."""
    own = sentences(base.neighbour)
    wanted = min(len(base.text) * chance.uniform(0.2, 0.5), len(base.neighbour) * 0.4)
    start = chance.randrange(max(1, len(own) // 2))
    taken: list[str] = []
    while start < len(own) and sum(map(len, taken)) < wanted:
        taken.append(own[start])
        start += 1
    half = len(taken) // 3
    return f"{''.join(taken[:half])}\n{base.text}\n{''.join(taken[half:])}"


def light_edit(base: Base, chance: random.Random) -> str:
    """Replaces, removes or doubles three of a hundred words, and removes a sentence in half of the texts."""
    parts = sentences(base.text)
    if len(parts) > 8 and chance.random() < 0.5:
        parts.pop(chance.randrange(len(parts)))
    text = "".join(parts)
    words = PIECES.findall(text)

    def edited(match: re.Match[str]) -> str:
        if chance.random() >= 0.03:
            return match.group()
        return chance.choice((chance.choice(words), "", f"{match.group()} {chance.choice(words)}"))

    return PIECES.sub(edited, text)


def typography(base: Base, chance: random.Random) -> str:
    """Other quotation marks and dashes, a headline, paragraphs joined, one in a hundred words changed."""
    text = base.text.replace('"', "“").replace("'", "’").replace(" - ", " – ").replace("\n\n", "\n")
    headline = " ".join(PIECES.findall(base.text)[5:12])
    words = PIECES.findall(text)
    changed = PIECES.sub(lambda m: chance.choice(words) if chance.random() < 0.01 else m.group(), text)
    return f"{headline.upper()}\n{changed}"


def half(base: Base, chance: random.Random) -> str:
    """Returns half of the text, from a random position."""
    return _part(base.text, 0.5, chance)


def quarter(base: Base, chance: random.Random) -> str:
    """A quarter of the text."""
    return _part(base.text, 0.25, chance)


def _part(text: str, share: float, chance: random.Random) -> str:
    start = chance.randrange(int(len(text) * (1 - share)) + 1)
    return text[start : start + int(len(text) * share)]


def boilerplate(base: Base, chance: random.Random) -> str:
    """The text with four sentences that all articles of its site end with."""
    return f"{base.text}\n\n{base.boilerplate}"


def teaser(base: Base, chance: random.Random) -> str:
    """Another article of the site that opens with this one's first sentence, as a follow-up does."""
    first = next((part for part in sentences(base.text) if len(part) > 40), base.text[:100])
    return f"{first}\n{_shuffled(base.neighbour, chance)}"


def edition(base: Base, chance: random.Random) -> str:
    """The edition in another language: other words, this one's names and numbers."""
    names = iter(_NAMES.findall(base.text))
    words = _shuffled(base.foreign, chance).split()
    return " ".join(f"{word} {next(names, '')}" if place % 6 == 0 else word for place, word in enumerate(words))


def _shuffled(text: str, chance: random.Random) -> str:
    """Different words in the same vocabulary: the text of a topic, which is nobody's copy."""
    words = PIECES.findall(text)
    chance.shuffle(words)
    return " ".join(words)


OPERATIONS: Final[Mapping[str, Operation]] = {
    "adverts": adverts,
    "cut end": cut_end,
    "new lead": new_lead,
    "light edit": light_edit,
    "typography": typography,
    "agency": agency,
    "additions": additions,
    "half": half,
    "quarter": quarter,
    "boilerplate": boilerplate,
    "teaser": teaser,
    "edition": edition,
}
NEGATIVE: Final = frozenset({"teaser", "edition"})
"""What these make is another article."""
EDITS: Final = frozenset({"adverts", "cut end", "new lead", "light edit", "typography"})
COPIES: Final = frozenset({"agency", "additions"})
EXCERPTS: Final = frozenset({"half"})
