"""Phrases in place of the rest of an article that only subscribers read, and the offer that they begin.

Many systems give the offer a name (`boxes`) or a heading (`finish`). In others its lines are paragraphs like those of
the article. The phrases tell where such an offer begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from newscrawl.extraction.cleanup.cues import fold, phrases_of
from newscrawl.page import Page, TextRun
from newscrawl.page.words import BLANKLESS

LINE_WORDS: Final = 25
"""The most words of a line of an offer. Longer runs are paragraphs."""
MAX_LINES: Final = 12
"""The most lines of an offer."""
MIN_WORDS_ABOVE: Final = 15
"""The least words of the free part above an offer."""


PAYWALL_TEXTS: Final = phrases_of("""
subscribe to continue reading
subscribe to read the full
subscribe now to continue
subscribe to unlock
to continue reading
to read the full article
to read the full story
to read the rest of this
sign in to continue reading
log in to continue reading
this article is for subscribers
this article is only available to subscribers
this content is for subscribers
this story is for subscribers
exclusive to subscribers
for subscribers only
um weiterzulesen
jetzt weiterlesen
diesen artikel weiterlesen
den vollständigen artikel lesen
nur für abonnenten
exklusiv für abonnenten
la suite est réservée aux abonnés
cet article est réservé
contenu réservé aux abonnés
article réservé aux abonnés
de cet article à lire
pour lire la suite
contenido exclusivo para suscriptores
exclusivo para suscriptores
suscríbete para seguir leyendo
suscríbase para seguir leyendo
para seguir leyendo
para continuar leyendo
articolo riservato agli abbonati
contenuto riservato agli abbonati
per continuare a leggere
abbonati per continuare
conteúdo exclusivo para assinantes
para continuar lendo
assine para continuar
verder lezen met
lees verder met een abonnement
alleen voor abonnees
om verder te lezen
treść dostępna tylko dla
pozostało do przeczytania
tylko dla prenumeratorów
чтобы читать дальше
доступно только подписчикам
для продолжения чтения
för att läsa vidare
läs vidare med
for å lese videre
kun for abonnenter
for at læse videre
tilaajille
この記事は会員限定
この記事は有料会員限定
会員限定記事
订阅以继续阅读
""")
"""Phrases in short runs that replace the rest of an article."""

_ACCOUNTS: Final = phrases_of("""
already a subscriber
already a member
already subscribed
already have an account
create a free account to
subscribe to keep reading
bereits ein abo
bereits abonnent
bereits abonniert
bereits registriert
zum weiterlesen
mit einem abo weiterlesen
déjà abonné
réservé à nos abonnés
abonnez vous pour lire
ya eres suscriptor
ya estás suscrito
sólo para suscriptores
solo para suscriptores
sei già abbonato
sei già iscritto
já é assinante
já é subscritor
al abonnee
redan prenumerant
allerede abonnent
oletko jo tilaaja
czytaj dalej z
aby czytać dalej
masz już konto
masz już subskrypcję
masz już prenumeratę
оформите подписку
уже есть подписка
уже подписаны
только для подписчиков
вже маєте підписку
okumaya devam etmek için
zaten abone misiniz
abone misiniz
για συνδρομητές
有料会員限定
会員の方は
ログインして続き
続きを読むには
订阅后继续
已是订阅用户
登录后阅读全文
구독자 전용
""")
"""Phrases that begin or close an offer and that articles about other subjects hardly have. They are no evidence for a
paywall by themselves, because headers of pages have them, too."""
_OFFERS: Final = tuple(sorted(PAYWALL_TEXTS | _ACCOUNTS))
_KEYS: Final = frozenset(max(phrase.split(), key=len) for phrase in _OFFERS)
"""The longest word of each phrase. Most texts end without one of these words, which are found faster."""
_BLANKLESS: Final = tuple(phrase for phrase in _OFFERS if BLANKLESS.search(phrase))
"""Phrases in scripts without blanks, in which words cannot be told from each other."""


def drop_offer(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without the short ones at their end of which one says that subscribers read on."""
    page_runs = page.runs
    first = end = len(runs)
    while first and end - first < MAX_LINES and page_runs[runs[first - 1]].words <= LINE_WORDS:
        first -= 1
    if first == end:
        return tuple(runs)
    last = fold("\n".join([page_runs[i].text for i in runs[first:]]))
    if _KEYS.isdisjoint(last.split()) and (last.isascii() or not any(map(last.__contains__, _BLANKLESS))):
        return tuple(runs)
    start = next((place for place in range(first, end) if _offers(page_runs[runs[place]])), end)
    if start == end or sum(page_runs[i].words for i in runs[:start]) < MIN_WORDS_ABOVE:
        return tuple(runs)
    return tuple(runs[:start])


def _offers(run: TextRun) -> bool:
    folded = fold(run.text)
    return any(phrase in folded for phrase in _OFFERS)
