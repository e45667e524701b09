"""Everything on the demo's pages that is not the article: navigation, adverts, comments, footers.

An extractor must keep none of these strings; the tests search for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from newscrawl.demo.story import Language

SITE_NAMES: Final[Mapping[Language, str]] = {"en": "The Lanternhead Courier", "es": "El Correo de Puerto Farol"}

SECTIONS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "city": "Town",
        "harbour": "Harbour",
        "culture": "Arts and living",
        "sport": "Sport",
        "science": "Nature and science",
        "business": "Business",
        "opinion": "Comment",
    },
    "es": {
        "ciudad": "Ciudad",
        "cultura": "Cultura",
        "deportes": "Deportes",
        "economia": "Economía",
        "ciencia": "Ciencia",
    },
}
"""The names of the sections, by their words in addresses."""

ADVERTS: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": (
        "Zephyrol: sleep as if the tide had carried you.",
        "New at Zephyrol: the pillow that remembers your shoulders. Thirty nights on trial.",
        "Brackwater Insurance pays before you have finished swearing. Get a quote in two minutes.",
        (
            "Brackwater Insurance covers your boat, your bicycle and your brother-in-law. This month the first ten "
            "thousand crowns of any claim are settled on the telephone, without a form and without a visit."
        ),
        "Moonrise Mattresses, Tower Street: everything must go, and so must the old one, which we take away for you.",
        "Dunmore Motors. Six years of guarantee, or two hundred thousand kilometres, whichever makes you happier.",
        "Learn Averran in ninety days with Polyglossa. The first lesson is free, the second one will surprise you.",
        (
            "Polyglossa for schools: more than four thousand teachers already trust our exercises for the quiet "
            "half-hour after lunch, and nine out of ten of them would recommend the programme to a colleague elsewhere."
        ),
    ),
    "es": (
        "Zefirol: duerma como si lo llevara la marea.",
        "Novedad de Zefirol: la almohada que recuerda sus hombros. Treinta noches de prueba.",
        "Seguros Aguabrava paga antes de que termine de lamentarse. Pida presupuesto en dos minutos.",
        (
            "Seguros Aguabrava cubre su barco, su bicicleta y a su cuñado. Durante este mes las primeras diez mil "
            "coronas de cada siniestro se resuelven por teléfono, sin formularios y sin que nadie vaya a su casa."
        ),
        "Motores Dunmore. Seis años de garantía o doscientos mil kilómetros, lo que más ilusión le haga.",
        "Aprenda inglés en noventa días con Poliglosa. La primera lección es gratis y la segunda le sorprenderá.",
    ),
}
"""Adverts, some as short as a slogan and some as long as a paragraph. No story contains the name of an advertiser."""

ADVERTISERS: Final = (
    "Zephyrol",
    "Zefirol",
    "Brackwater",
    "Aguabrava",
    "Moonrise",
    "Dunmore",
    "Polyglossa",
    "Poliglosa",
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A reader's comment below an article, with the reader's name."""

    reader: str
    text: str


COMMENTS: Final[Mapping[Language, tuple[Comment, ...]]] = {
    "en": (
        Comment(
            "gullwatcher_77",
            "Finally somebody says it. I have been writing to this paper about it since before "
            "the second mayor, and all I ever got back was a calendar.",
        ),
        Comment("MrsPeasgood", "Lovely piece, but you have spelt my late uncle’s street wrongly again."),
        Comment(
            "tide_table_tim", "And who pays for all this? Exactly. The rest of us, on the number four tram, standing."
        ),
        Comment("anon-o-mouse", "first"),
        Comment(
            "Harbourmaster Emeritus",
            "In my day we would have settled this in an afternoon with a rope and a lantern, "
            "and nobody would have needed a committee or a photograph of themselves.",
        ),
        Comment(
            "kestrel", "Does anybody know whether one has to book? The telephone number given last time was a bakery."
        ),
        Comment("saltmarsh_sue", "I was there and it was much louder than you make it sound."),
        Comment("NoToEverything", "Typical. Next they will want us to be pleased about it as well."),
        Comment(
            "pelican_brief",
            "Thank you for explaining this so calmly. I read it to my mother over the phone and we "
            "both had to laugh at the same place, which has not happened for years.",
        ),
    ),
    "es": (
        Comment(
            "gaviota_77",
            "Por fin alguien lo dice. Llevo escribiendo a este periódico sobre el asunto desde antes "
            "de la segunda alcaldesa y lo único que me mandaron fue un calendario.",
        ),
        Comment("DoñaPura", "Muy bonito, pero han vuelto a escribir mal la calle de mi difunto tío."),
        Comment("marea_alta", "¿Y esto quién lo paga? Los de siempre, de pie y en el cuatro."),
        Comment("anonimo", "primero"),
        Comment(
            "el_practico",
            "En mis tiempos esto se arreglaba en una tarde con una cuerda y un farol, y a nadie le "
            "hacía falta una comisión ni salir en la fotografía.",
        ),
        Comment("vecina_del_ancla", "Yo estuve allí y les aseguro que fue bastante más ruidoso de lo que cuentan."),
    ),
}
"""The readers' comments; each page shows some of them, always the same."""

COMMENTS_A_PAGE: Final = 4

WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "front": "Front page",
        "subscribe": "Subscribe from four crowns a week",
        "login": "Log in",
        "weather": "Today 11 degrees, wind south-west, high water 14:52",
        "related": "More on this",
        "popular": "Most read today",
        "comments": "What our readers say",
        "advert": "Advertisement",
        "by": "By",
        "print": "Printer-friendly version",
        "share": "Share this page",
        "photo": "Archive picture: the Old Quay at low water. Photo: Courier staff",
        "cookies": "We and our 214 partners would like to remember your visit. Accept all. Settings.",
        "newsletter": "The evening post: sign up and get the five stories of the day at six o’clock.",
        "rights": "© Lanternhead Printing Works. No part of this paper may be used to wrap fish before the following "
        "day. Imprint, privacy, terms, jobs.",
    },
    "es": {
        "front": "Portada",
        "subscribe": "Suscríbase desde cuatro coronas a la semana",
        "login": "Iniciar sesión",
        "weather": "Hoy 11 grados, viento del suroeste, pleamar 14:52",
        "related": "Más sobre este tema",
        "popular": "Lo más leído hoy",
        "comments": "Qué opinan los lectores",
        "advert": "Publicidad",
        "by": "Por",
        "print": "Versión para imprimir",
        "share": "Compartir esta página",
        "photo": "Imagen de archivo: el muelle viejo en bajamar. Foto: Redacción",
        "cookies": "Nosotros y nuestros 214 socios queremos recordar su visita. Aceptar todo. Configurar.",
        "newsletter": "El correo de la tarde: suscríbase y reciba a las seis las cinco noticias del día.",
        "rights": "© Imprenta de Puerto Farol. Queda prohibido envolver pescado con este diario antes del día "
        "siguiente. Aviso legal, privacidad, condiciones, empleo.",
    },
}
"""The labels and standing texts around every article."""


def adverts(language: Language, hit: int, places: int) -> tuple[str, ...]:
    """Returns the adverts of a page on the `hit`-th request to the site. They differ with each request."""
    pool = ADVERTS[language]
    step = 1 + (hit // len(pool)) % (len(pool) - 1)
    return tuple(f"{pool[(hit + place * step) % len(pool)]} ({hit}.{place})" for place in range(places))


def comments(language: Language, number: int) -> tuple[Comment, ...]:
    """The comments below story `number`."""
    pool = COMMENTS[language]
    return tuple(pool[(number + i) % len(pool)] for i in range(COMMENTS_A_PAGE))
