"""Reads what a line says about its date: the publication, a change, or something else."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_DATED: Final = re.compile(
    r"(?<!\d)(?:19|20|25|1[34])\d{2}(?!\d)|(?<!\d)(?<!\d\.)\d{2}\.\d{2}\.\d{2}(?![\d.])"
    r"|[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]{4}|令和|(?:民國|民国)\s?\d|[〇零○一二三四五六七八九]{4}年"
)
"""A year (also in the Thai and Persian calendars), or a day in digits with a year of two digits."""
_FIRST_OF_DATED: Final = re.compile(r"[\d令民〇零○一二三四五六七八九]")
"""With which one of these begins. Most lines have none of them, and this search takes a tenth of the time."""

BARE: Final = re.compile(
    r"\W*+(?:[^\W\d_]++\W++){0,3}\d{1,4}\W++(?:[^\W\d_]++\W++){0,2}\d{1,4}(?:(?=\W+[\d:.])(?:\W++|\d{1,8}(?!\d))*+)?"
)
"""A line that is only a day, with a time or a second day. What follows the day can be matched in one way only: signs
that are part of both a time and a separator would take exponential time. Words and separators share no character, so
the possessive repeats match what greedy ones would, in a fifth of the time."""

PUBLISHED: Final = re.compile(
    r"\b(?:published|posted|released|created|erschienen am|erstellt am|veröffentlich|publiziert|geschrieben|"
    r"eingestellt am|publié|paru le|mis en ligne|publicad|postado|pubblicat|gepubliceerd|geplaatst|opublikowan|dodano|"
    r"data publikacji|publicerad|publisert|publiceret|offentliggjort|udgivet|julkaistu|publikov|vydáno|zveřejněn|"
    r"zverejnen|megjelen|közzété|yayın|yayım|publicat|objavljen|dipublikasikan|diterbitkan|"
    r"đăng (?:lúc|ngày)|xuất bản)|"
    r"опубликован|опубліковано|публикуван|објављен|δημοσίευσ|δημοσιεύ|發布|发布|發表|发表|刊登|掲載|公開日|投稿日|등록|입력|"
    r"게재|تاريخ النشر|نشر في|نُشر|تار[یي]خ انتشار|פורסם|प्रकाशित|প্রকাশ|เผยแพร่",
    re.IGNORECASE,
)
UPDATED: Final = re.compile(
    r"(?:\b|(?<=\d))(?:updated?\b|stand\s?:|stand\s(?:vom\s|am\s)?(?=\d{1,2}\.)|"
    r"modified|revised|edited(?! by)|last changed|actualiz|actualis|aktualis|geändert|zuletzt|"
    r"bearbeitet(?! von)|modificad|mise? à jour|modifié|atualiz|aggiorna|modificat|bijgewerkt|gewijzigd|aktualiz|"
    r"zaktualiz|uppdaterad|ändrad|oppdatert|endret|opdateret|ændret|päivitetty|muokattu|frissít|módosít|güncelle|"
    r"ažurir|diperbarui|"
    r"cập nhật)|"
    r"обновлен|обновлён|изменен|оновлен|змінен|обновен|ажурир|ενημέρωσ|ενημερώ|تحديث|به‌روز|بروزرسانی|עודכן|अपडेट|अद्यतन|"
    r"আপডেট|อัปเดต|อัพเดท|更新|수정",
    re.IGNORECASE,
)
OTHER: Final = re.compile(
    r"^\W*(?:photo|foto|bild|abbildung|image|picture|figure|grafik)\s?:|"
    r"©|\(c\)\s|copyright|\bjoined\b|\bregist(?:ered|riert|rato|rado)\b|member since|mitglied seit|membre depuis|"
    r"miembro desde|membro (?:dal|desde)|lid sinds|regdatum|дата регистрации|注册|註冊",
    re.IGNORECASE,
)
"""A caption, a copyright, or since when somebody is a member of a forum."""

EVENT: Final = re.compile(
    r"^\W*(?:received|accepted|recorded|filmed|event date|date of (?:the )?event|"
    r"eingegangen|eingang|angenommen|aufgenommen|"
    r"reçu|accepté|recibido|aceptado|recebido|aceito|aceite|ricevuto|accettato|ontvangen|geaccepteerd|mottagen|modtaget|"
    r"mottatt|otrzymano|przyjęto|zaakceptowano|přijato|doručeno|prijaté|beérkezett|elfogadva|karar tarihi|geliş tarihi|"
    r"kabul tarihi|diterima|поступила|получен[ао]?|принят[ао]?|надійшла|прийнята|"
    r"収録|受付日?|受理日?|收稿(?:日期)?|接受(?:日期)?|"
    r"录用(?:日期)?|錄用(?:日期)?|접수(?:일)?|채택(?:일)?|승인일)(?:\s(?:on|am|le|el|em|il|op|den|dnia|dne))?\s?[:：]?\s*+(?=[\w(]|$)",
    re.IGNORECASE,
)
"""A label of a day before the publication, at the beginning of a line: when a manuscript arrived, when it was
recorded."""

SENTENCE_WORDS: Final = 8
"""A line with more words and a full stop at its end is a sentence, which may be about any day."""
_SENTENCE_END: Final = re.compile(r"(?<![ap]\.m)[.!?。؟।]$", re.IGNORECASE)


def is_dated(line: str) -> bool:
    """Returns whether a line may have a date. This cheap search comes before a line is read."""
    return _FIRST_OF_DATED.search(line) is not None and _DATED.search(line) is not None


def is_sentence(line: str, words: int) -> bool:
    """Returns whether a line of so many words is a sentence without a label for a publication."""
    return words > SENTENCE_WORDS and _SENTENCE_END.search(line) is not None and PUBLISHED.search(line) is None


@lru_cache(maxsize=512)
def publication_part(line: str) -> str | None:
    """Returns the part of a line that may state the publication; None if the line is about a change or something else.

    "Published 4 March, updated 5 March" and "Updated 5 March - published 4 March" both state the fourth, and so does
    "Ruling of 3 March, published on 4 March". Cached, because several readers of a page ask for the same lines.
    """
    if OTHER.search(line):
        return None
    updated = UPDATED.search(line)
    published = PUBLISHED.search(line)
    if published is not None and is_dated(line[: published.start()]) and is_dated(line[published.start() :]):
        if updated is None or updated.end() <= published.start():
            return line[published.start() :]
    elif EVENT.search(line):
        return None
    if updated is None:
        return line
    if published is not None and published.start() > updated.start():
        return line[published.start() :]
    before = line[: updated.start()]
    return before if is_dated(before) else None


@lru_cache(maxsize=512)
def change_part(line: str) -> str | None:
    """Returns the part of a line that states a change; None if there is none. Cached, as `publication_part`."""
    updated = UPDATED.search(line)
    if updated is None or OTHER.search(line):
        return None
    published = PUBLISHED.search(line, updated.end())
    return line[updated.start() : published.start() if published else len(line)]
