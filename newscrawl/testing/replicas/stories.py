"""Articles of local sites in three languages. Their sentences were written for this project."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

DESKS: Final = ("politics", "sport", "culture")
_WHO: Final = {
    "en": ("The city council", "A group of teachers", "The harbour board", "The orchestra", "The old brewery"),
    "es": ("El ayuntamiento", "Un grupo de maestros", "La junta del puerto", "La orquesta", "La antigua fábrica"),
    "zh": ("市议会", "一群教师", "港务局", "交响乐团", "老啤酒厂"),
}
_WHAT: Final = {
    "en": ("votes for a new bridge", "opens its doors to visitors", "asks for more time", "sells the northern quay"),
    "es": ("aprueba un puente nuevo", "abre sus puertas a los vecinos", "pide más tiempo", "vende el muelle del norte"),
    "zh": ("投票决定修建新的大桥", "向游客开放大门", "要求更多时间", "出售北部码头"),
}
_SENTENCES: Final = {
    "en": (
        "The plan had been on the table for more than a year, and nobody in the room expected it to pass so soon.",
        "Neighbours who have lived along the river for decades said they were glad that somebody had listened to them.",
        "It is not the first time that the matter has been put off, but the mood this week was different from before.",
        "According to the report, the work will cost less than was feared and should be finished before the winter.",
        "Those who are against it have announced that they will take the decision to the court in the coming days.",
        "In the afternoon the square was full of people who had come to see for themselves what was going to change.",
    ),
    "es": (
        "El plan llevaba más de un año sobre la mesa y nadie en la sala esperaba que se aprobara tan pronto.",
        "Los vecinos que viven junto al río desde hace décadas dijeron que se alegraban de que alguien los escuchara.",
        "No es la primera vez que el asunto se aplaza, pero el ambiente de esta semana era distinto al de otras veces.",
        "Según el informe, las obras costarán menos de lo que se temía y deberían estar listas antes del invierno.",
        "Quienes están en contra han anunciado que llevarán la decisión a los tribunales en los próximos días.",
        "Por la tarde la plaza estaba llena de gente que había venido a ver con sus propios ojos lo que iba a cambiar.",
    ),
    "zh": (
        "这项计划已经在桌上放了一年多，会议室里没有人预料到它会这么快就获得通过。",
        "几十年来一直住在河边的居民们说，他们很高兴终于有人愿意倾听他们的意见。",
        "这件事情并不是第一次被推迟，但是这个星期的气氛和以前完全不一样了。",
        "根据这份报告，工程的费用比原先担心的要少，并且应该能够在冬天到来之前完成。",
        "反对这项决定的人已经宣布，他们将在未来几天之内把这个决定提交给法院审理。",
        "下午广场上挤满了人，他们都是专门前来亲眼看看这里将会发生什么变化的。",
    ),
}


@dataclass(frozen=True, slots=True)
class ReplicaArticle:
    """An article without markup."""

    number: int
    title: str
    paragraphs: tuple[str, ...]
    published: datetime

    @property
    def slug(self) -> str:
        """Returns a unique slug: the words of the title joined by hyphens, and the number in words."""
        plain = "".join(c if c.isascii() and c.isalnum() else " " for c in self.title.lower())
        return "-".join([*plain.split(), "abcdefghijklmnopqrstuvwxyz"[self.number % 26] * 3])


def make_stories(seed: int, count: int, language: str, now: datetime) -> list[ReplicaArticle]:
    """Returns stories with different titles and texts, the newest first, five hours apart."""
    chance = random.Random(seed)
    language = language if language in _WHO else "en"
    titles = [f"{who} {what}" if language != "zh" else who + what for who in _WHO[language] for what in _WHAT[language]]
    chance.shuffle(titles)
    stories = []
    for number in range(count):
        sentences = list(_SENTENCES[language])
        chance.shuffle(sentences)
        joint = "" if language == "zh" else " "
        count_of = "" if language == "zh" else f" No. {seed}-{number}."
        paragraphs = tuple(
            joint.join([sentences[i], sentences[(i + 2) % 6], sentences[(i + 3) % 6]]) + count_of for i in range(4)
        )
        stories.append(
            ReplicaArticle(number, titles[number % len(titles)], paragraphs, now - timedelta(hours=5 * number + 1))
        )
    return stories
