"""Dates in all their forms."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.metadata.dates.parse_date import read_date

DATES = [
    ("2024-05-17T12:30:45+02:00", "2024-05-17T10:30:45", "second", True),
    ("2024-05-17T12:30:45.123Z", "2024-05-17T12:30:45", "second", True),
    ("2024-05-17T12:30:45,5Z", "2024-05-17T12:30:45", "second", True),
    ("2024-05-17T12:30+0200", "2024-05-17T10:30:00", "minute", True),
    ("2024-05-17T23:30-07", "2024-05-18T06:30:00", "minute", True),
    ("2024-05-17 12:30", "2024-05-17T12:30:00", "minute", False),
    ("2024-05-17T5:30:00", "2024-05-17T05:30:00", "second", False),
    ("2024-05-17T12:30:45Z[UTC]", "2024-05-17T12:30:45", "second", True),
    ("2024/05/17 12:30:00 GMT", "2024-05-17T12:30:00", "second", True),
    ("2024-05-17", "2024-05-17T00:00:00", "day", False),
    ("20240517", "2024-05-17T00:00:00", "day", False),
    ("20240517T123045Z", "2024-05-17T12:30:45", "second", True),
    ("17.05.24", "2024-05-17T00:00:00", "day", False),
    ("Lesedauer 4 Min.17.05.24", "2024-05-17T00:00:00", "day", False),
    ("17 أيار / مايو 2024", "2024-05-17T00:00:00", "day", False),
    ("8 كانون الثاني / يناير 2025", "2025-01-08T00:00:00", "day", False),
    ("8 كانون ثاني 2025", "2025-01-08T00:00:00", "day", False),
    ("17 تشرين الاول 2024", "2024-10-17T00:00:00", "day", False),
    ("17 ايار 2024", "2024-05-17T00:00:00", "day", False),
    ("۲ تير ۱۴۰۳", "2024-06-22T00:00:00", "day", False),
    ("2024-05", "2024-05-01T00:00:00", "month", False),
    ("2024", "2024-01-01T00:00:00", "year", False),
    ("Fri, 17 May 2024 12:00:00 GMT", "2024-05-17T12:00:00", "second", True),
    ("Fri, 17 May 2024 12:00:00 -0400", "2024-05-17T16:00:00", "second", True),
    ("Fri May 17 2024 12:00:00 GMT+0200 (CEST)", "2024-05-17T10:00:00", "second", True),
    ("May 17, 2024 at 3:15 p.m. EDT", "2024-05-17T19:15:00", "minute", True),
    ("3:15 PM EST, Fri May 17, 2024", "2024-05-17T20:15:00", "minute", True),
    ("May 17, 2024 | 12:05am", "2024-05-17T00:05:00", "minute", False),
    ("Published: May 17th, 2024", "2024-05-17T00:00:00", "day", False),
    ("Sept. 3, 2023", "2023-09-03T00:00:00", "day", False),
    ("17 de mayo de 2024", "2024-05-17T00:00:00", "day", False),
    ("17 de mayo de 2024, 14:30 h", "2024-05-17T14:30:00", "minute", False),
    ("17. Mai 2024, 14:30 Uhr", "2024-05-17T14:30:00", "minute", False),
    ("Freitag, 1. März 2024 14.30", "2024-03-01T14:30:00", "minute", False),
    ("17 mai 2024 à 14h30", "2024-05-17T14:30:00", "minute", False),
    ("1er août 2024", "2024-08-01T00:00:00", "day", False),
    ("17 de maio de 2024", "2024-05-17T00:00:00", "day", False),
    ("17 maggio 2024", "2024-05-17T00:00:00", "day", False),
    ("17 mei 2024", "2024-05-17T00:00:00", "day", False),
    ("17 maja 2024", "2024-05-17T00:00:00", "day", False),
    ("17 мая 2024, 14:30", "2024-05-17T14:30:00", "minute", False),
    ("17 Μαΐου 2024", "2024-05-17T00:00:00", "day", False),
    ("17 Mayıs 2024", "2024-05-17T00:00:00", "day", False),
    ("2024. május 17., 14:30", "2024-05-17T14:30:00", "minute", False),
    ("17. toukokuuta 2024", "2024-05-17T00:00:00", "day", False),
    ("17. svibnja 2024.", "2024-05-17T00:00:00", "day", False),
    ("17 maj 2024", "2024-05-17T00:00:00", "day", False),
    ("17 Fevrier 2024", "2024-02-17T00:00:00", "day", False),
    ("17 травня 2024", "2024-05-17T00:00:00", "day", False),
    ("17 май 2024", "2024-05-17T00:00:00", "day", False),
    ("١٧ مايو ٢٠٢٤", "2024-05-17T00:00:00", "day", False),
    ("17 أيار 2024", "2024-05-17T00:00:00", "day", False),
    ("17 كانون الأول 2023", "2023-12-17T00:00:00", "day", False),
    ("17 במאי 2024", "2024-05-17T00:00:00", "day", False),
    ("17 मई 2024, 14:30", "2024-05-17T14:30:00", "minute", False),
    ("১৭ ফেব্রুয়ারি ২০২৪", "2024-02-17T00:00:00", "day", False),
    ("17 พฤษภาคม 2567", "2024-05-17T00:00:00", "day", False),
    ("17 พ.ค. 2567 14:30", "2024-05-17T14:30:00", "minute", False),
    ("ngày 17 tháng 5 năm 2024", "2024-05-17T00:00:00", "day", False),
    ("۲۸ اردیبهشت ۱۴۰۳ - ۱۰:۲۰", "2024-05-17T10:20:00", "minute", False),
    ("الجمعة، 17 مايو/أيار 2024", "2024-05-17T00:00:00", "day", False),
    ("1403/02/28", "2024-05-17T00:00:00", "day", False),
    ("1403/12/30", "2025-03-20T00:00:00", "day", False),
    ("1375/01/01", "1996-03-20T00:00:00", "day", False),
    ("令和6年5月17日", "2024-05-17T00:00:00", "day", False),
    ("民國113年5月17日", "2024-05-17T00:00:00", "day", False),
    ("二〇二四年五月十七日", "2024-05-17T00:00:00", "day", False),
    ("二零二四年十二月三十一日 星期二", "2024-12-31T00:00:00", "day", False),
    ("二○二四年一月廿一日", "2024-01-21T00:00:00", "day", False),
    ("令和六年五月十七日", "2024-05-17T00:00:00", "day", False),
    ("令和元年十月二十日", "2019-10-20T00:00:00", "day", False),
    ("Apr 042024", "2024-04-04T00:00:00", "day", False),
    ("17.05.2024 14:30", "2024-05-17T14:30:00", "minute", False),
    ("4. 2. 2022", "2022-02-04T00:00:00", "day", False),
    ("05/17/2024", "2024-05-17T00:00:00", "day", False),
    ("17/05/2024", "2024-05-17T00:00:00", "day", False),
    ("2024年5月17日 14:30", "2024-05-17T14:30:00", "minute", False),
    ("2024년 5월 17일", "2024-05-17T00:00:00", "day", False),
    ("1715940000", "2024-05-17T10:00:00", "second", True),
    ("1715940000000", "2024-05-17T10:00:00", "second", True),
    ("December 2023", "2023-12-01T00:00:00", "month", False),
    ("2024-05-17T24:30:00", "2024-05-17T00:00:00", "day", False),
    ("9999-12-31T23:59:59-23:59", "9999-12-31T00:00:00", "day", False),
    ("0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00", "day", False),
]


@pytest.mark.parametrize(("raw", "when", "precision", "zone_stated"), DATES)
def test_a_written_date_is_understood(raw: str, when: str, precision: str, zone_stated: bool) -> None:
    written = read_date(raw)
    assert written is not None
    assert written.when == datetime.fromisoformat(when).replace(tzinfo=UTC)
    assert (written.precision, written.zone_stated) == (precision, zone_stated)


@pytest.mark.parametrize(
    ("raw", "offset"),
    [
        ("2022-05-03T22:10:00-03:00", -180),
        ("2024-05-17T12:30:00+0530", 330),
        ("2024-05-17T12:30:00+00:00", 0),
        ("2024-05-17T12:30:00Z", 0),
        ("17 May 2024 12:30 EST", -300),
        ("17 May 2024 12:30 GMT+2", 120),
        ("17 May 2024 12:30 IST", None),
        ("2024-05-17T12:30:00", None),
        ("2024-05-17", None),
        ("1715940000", None),
        ("2024-05-17T12:30:00+24:00", None),
    ],
)
def test_the_offset_is_the_one_that_is_written(raw: str, offset: int | None) -> None:
    written = read_date(raw)
    assert written is not None
    assert written.offset == offset


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "Monday",
        "2024-02-30",
        "0000-00-00",
        "99/99/2024",
        "Section 5",
        "17 Quux 2024",
        "1402/12/30",
        "1403/07/31",
        "1e999",
        "\x00",
    ],
)
def test_what_is_no_date_is_none(raw: str) -> None:
    assert read_date(raw) is None


def test_figures_that_can_be_read_both_ways_follow_the_country() -> None:
    day_first, month_first = read_date("05/06/2024"), read_date("05/06/2024", day_first=False)
    assert day_first is not None
    assert month_first is not None
    assert (day_first.when.month, month_first.when.month) == (6, 5)


@settings(deadline=None)
@given(st.one_of(st.text(), st.from_regex(r"[0-9]{1,4}[-/. ][0-9A-Za-z]{1,4}[-/. ]{1,2}[0-9]{1,4}[T ][0-9:+-]*Z?")))
def test_no_string_raises_and_every_date_is_utc(raw: str) -> None:
    written = read_date(raw)
    assert written is None or written.when.utcoffset() == UTC.utcoffset(None)
