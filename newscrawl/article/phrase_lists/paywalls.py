"""Phrases in place of the rest of an article that only subscribers read."""

from __future__ import annotations

from typing import Final

from newscrawl.article.phrase_lists.folding import phrases

PAYWALL_TEXTS: Final = phrases("""
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
