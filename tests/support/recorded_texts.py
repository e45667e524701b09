"""Titles and texts of made-up articles in seven languages, the same on every machine and with every Python.

Each choice is drawn from a hash of its own key, so that an article more changes no other one. Phrases have at most two
words (three letters without blanks): shingles of four words then cross phrases, and no two texts are near-duplicates by
chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, TypeVar

T = TypeVar("T")

SENTENCES: Final = 13
"""Of a usual text."""
BLANKLESS: Final = "ja"


@dataclass(frozen=True, slots=True)
class Words:
    """The phrases of a language: who, does, what, where or when."""

    subjects: Sequence[str]
    verbs: Sequence[str]
    objects: Sequence[str]
    places: Sequence[str]


def _words(subjects: str, verbs: str, objects: str, places: str) -> Words:
    return Words(*(tuple(part.strip() for part in text.split(",")) for text in (subjects, verbs, objects, places)))


WORDS: Final = {
    "en": _words(
        "the ferry, the mayor, a baker, two sisters, the council, the orchestra, a diver, old pilots, the teacher,"
        "a surgeon, the miners, young farmers, the bank, a judge, the rowers, the museum, three painters, a nurse",
        "repaired, sold, counted, opened, moved, praised, refused, painted, searched, closed, borrowed, measured,"
        "photographed, rebuilt, insured, inspected",
        "the bridge, a lighthouse, nine boats, the archive, the theatre, a tunnel, the orchard, forty chairs,"
        "the harvest, a whale, the tramway, the bells, a school, the budget, the reservoir, a chapel, the quay,"
        "two mills",
        "on Monday, near Elm, at noon, without permission, in silence, by mistake, after storms, for charity,"
        "before dawn, under protest, at Ridge, with success, in July, near Quarry, despite rain, twice over",
    ),
    "de": _words(
        "die Fähre, der Rat, ein Bäcker, zwei Schwestern, das Orchester, ein Taucher, die Lehrerin, der Müller,"
        "die Bergleute, junge Bauern, die Bank, ein Richter, die Ruderer, das Museum, drei Maler, eine Ärztin",
        "reparierte, verkaufte, zählte, öffnete, verschob, lobte, verweigerte, bemalte, durchsuchte, schloss,"
        "entlieh, vermaß, fotografierte, versicherte, prüfte, bestellte",
        "die Brücke, einen Leuchtturm, neun Boote, das Archiv, den Tunnel, vierzig Stühle, die Ernte, einen Wal,"
        "die Straßenbahn, die Glocken, eine Schule, den Haushalt, das Stauwerk, eine Kapelle, zwei Mühlen, den Kai",
        "am Montag, bei Lauterau, gegen Mittag, ohne Erlaubnis, in Ruhe, aus Versehen, nach Stürmen, vor Zeugen,"
        "unter Protest, mit Erfolg, im Juli, trotz Regen, am Hafen, bei Nacht, für Geld, mit Mühe",
    ),
    "es": _words(
        "el barco, la alcaldesa, un panadero, dos hermanas, el consejo, la orquesta, un buzo, la maestra,"
        "unos mineros, el banco, un juez, los remeros, el museo, tres pintores, una médica, el molinero",
        "reparó, vendió, contó, abrió, movió, elogió, rechazó, pintó, buscó, cerró, prestó, midió, fotografió,"
        "aseguró, revisó, encargó",
        "el puente, un faro, nueve barcas, el archivo, el teatro, un túnel, la huerta, cuarenta sillas, la cosecha,"
        "una ballena, el tranvía, las campanas, una escuela, el presupuesto, una capilla, dos molinos",
        "el lunes, en Roblar, al mediodía, sin permiso, en silencio, por error, tras tormentas, ante testigos,"
        "bajo protesta, con éxito, en julio, pese lluvia, con calma, en otoño, por dinero, de noche",
    ),
    "fr": _words(
        "le bac, la mairesse, un boulanger, deux soeurs, le conseil, un plongeur, la maîtresse, les mineurs,"
        "la banque, un juge, les rameurs, le musée, trois peintres, une infirmière, le meunier, les facteurs",
        "répara, vendit, compta, ouvrit, déplaça, loua, refusa, peignit, fouilla, ferma, prêta, mesura,"
        "photographia, assura, inspecta, commanda",
        "le pont, un phare, neuf bateaux, le théâtre, un tunnel, le verger, quarante chaises, la récolte,"
        "une baleine, le tramway, les cloches, une école, le budget, une chapelle, deux moulins, le quai",
        "dès lundi, à Ormeval, vers midi, sans permis, en silence, par erreur, après l'orage, devant témoins,"
        "sous protestation, avec succès, en juillet, malgré tout, de nuit, en ville, pour rien, avec peine",
    ),
    "nl": _words(
        "de veerpont, de raad, een bakker, twee zussen, het orkest, een duiker, de juf, de molenaar, mijnwerkers,"
        "jonge boeren, de bank, een rechter, de roeiers, het museum, drie schilders, een arts",
        "repareerde, verkocht, telde, opende, verplaatste, prees, weigerde, beschilderde, doorzocht, sloot, leende,"
        "mat, fotografeerde, verzekerde, keurde, bestelde",
        "de brug, een vuurtoren, negen boten, het archief, de tunnel, veertig stoelen, de oogst, een walvis,"
        "de tram, de klokken, een school, de begroting, een kapel, twee molens, de kade, het stuwmeer",
        "op maandag, bij Elzen, rond twaalf, zonder vergunning, in stilte, per abuis, na stormen, voor getuigen,"
        "onder protest, met succes, in juli, ondanks regen, bij nacht, met moeite, uit liefde, te laat",
    ),
    "ru": _words(
        "старый паром, мэр, пекарь, две сестры, совет, оркестр, водолаз, учительница, шахтёры, молодой фермер, банк,"
        "судья, гребцы, музей, три художника, врач",
        "починил, продал, пересчитал, открыл, передвинул, похвалил, отклонил, покрасил, обыскал, закрыл, одолжил,"
        "измерил, заснял, застраховал, проверил, заказал",
        "мост, маяк, девять лодок, архив, театр, тоннель, сад, сорок стульев, урожай, кита, трамвай, колокола, школу,"
        "бюджет, часовню, две мельницы",
        "в понедельник, у Липовки, в полдень, без разрешения, молча, по ошибке, после бури, при свидетелях,"
        "под протест, с успехом, в июле, несмотря ни, ночью, за деньги, с трудом, весной",
    ),
    BLANKLESS: _words(
        "漁師が, 市長が, 姉妹が, 楽団が, 教師が, 医者が, 銀行が, 画家が, 農家が, 判事が, 館長が, 船員が",
        "直した, 売った, 数えた, 開いた, 褒めた, 断った, 塗った, 探した, 閉めた, 借りた, 測った, 撮った",
        "橋を, 灯台を, 船を, 劇場を, 畑を, 椅子を, 鯨を, 電車を, 鐘を, 学校を, 予算を, 堂を",
        "朝に, 港で, 昼に, 丘で, 夜に, 駅で, 春に, 村で, 雨中に, 谷で, 秋に, 町で",
    ),
}


def drawn(choices: Sequence[T], *key: object) -> T:
    """Returns one of the choices, decided by the key alone."""
    return choices[number(len(choices), *key)]


def number(below: int, *key: object) -> int:
    """Returns a number from 0 up to `below`, decided by the key alone."""
    return int.from_bytes(sha256("\0".join(map(str, key)).encode()).digest()[:6], "big") % below


def title(language: str, *key: object) -> str:
    """Returns a headline."""
    words = WORDS[language]
    subject, verb = drawn(words.subjects, "title subject", *key), drawn(words.verbs, "title verb", *key)
    what = drawn(words.objects, "title object", *key)
    if language == BLANKLESS:
        return f"{subject}{what}{verb}"
    return _capital(f"{subject} {verb} {what}")


def sentences(language: str, *key: object, size: int = SENTENCES) -> list[str]:
    """Returns the sentences of a text."""
    return [sentence(language, place, *key) for place in range(size)]


def sentence(language: str, *key: object) -> str:
    """Returns a sentence of five to eight words."""
    words = WORDS[language]
    subject, verb = drawn(words.subjects, "subject", *key), drawn(words.verbs, "verb", *key)
    what, where = drawn(words.objects, "object", *key), drawn(words.places, "place", *key)
    if language == BLANKLESS:
        return f"{where}{subject}{what}{verb}。"
    return _capital(f"{subject} {verb} {what} {where}.")


def text_of(parts: Sequence[str]) -> str:
    """Returns sentences as paragraphs of three."""
    glue = "" if parts and parts[0].endswith("。") else " "
    return "\n\n".join(glue.join(parts[place : place + 3]) for place in range(0, len(parts), 3))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
