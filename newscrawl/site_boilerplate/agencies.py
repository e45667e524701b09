"""Recognizes lines that credit a news agency or a source. A newspaper repeats them on purpose, under every item."""

from __future__ import annotations

import re
from typing import Final

MAX_CHARACTERS: Final = 80
"""Characters of a credit line. A longer line that names an agency is a sentence or a legal note."""

_AGENCIES: Final = (
    *("AP", "Associated Press", "Reuters", "AFP", "Agence France-Presse", "dpa", "UPI", "Bloomberg", "PA Media"),
    *("Press Association", "Canadian Press", "AAP", "PTI", "ANI", "IANS", "Bernama", "Antara", "Yonhap", "Kyodo"),
    *("Jiji", "Xinhua", "TASS", "Interfax", "RIA Novosti", "UNIAN", "Ukrinform", "Belta", "Anadolu", "WAM", "SPA"),
    *("PAP", "CTK", "ČTK", "TASR", "MTI", "Agerpres", "BTA", "Tanjug", "Hina", "STA", "ANA-MPA", "APA", "SDA"),
    *("Keystone-SDA", "KNA", "epd", "SID", "ANSA", "Adnkronos", "AGI", "LaPresse", "EFE", "Europa Press", "Télam"),
    *("Lusa", "Agência Brasil", "Notimex", "Belga", "ANP", "NTB", "TT", "Ritzau", "STT"),
    *("Рейтер", "ТАСС", "Интерфакс", "РИА Новости", "Укринформ", "УНИАН", "БЕЛТА"),
    *("新华社", "新华网", "中新社", "中新网", "中央社", "共同通信", "共同", "時事通信", "時事", "ロイター", "연합뉴스"),
    *("رويترز", "أ ف ب", "وكالات", "ΑΠΕ-ΜΠΕ", "ΑΠΕ", "ΑΜΠΕ"),
)
"""News agencies that newspapers of the corpora and of large countries credit."""

_NAMED: Final = re.compile(
    r"(?<!\w)(?:"
    + "|".join(re.escape(name) for name in sorted(_AGENCIES, key=len, reverse=True) if name.isascii())
    + r")(?!\w)|"
    + "|".join(re.escape(name) for name in sorted(_AGENCIES, key=len, reverse=True) if not name.isascii())
)


def is_agency_line(line: str) -> bool:
    """Returns whether the line is short and names a news agency, such as "(Reuters)" or "Source: PAP". Case counts,
    because an abbreviation may also be a word. Takes time linear in at most `MAX_CHARACTERS` characters."""
    return len(line) <= MAX_CHARACTERS and _NAMED.search(line) is not None
