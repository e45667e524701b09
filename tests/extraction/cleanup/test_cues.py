"""Words around articles, by language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.cleanup.cues import fold, is_continuation, is_end, is_note
from newscrawl.extraction.cleanup.draft import run_filters
from newscrawl.extraction.cleanup.finish import FINISH
from newscrawl.page import Page


@pytest.mark.parametrize(
    "text",
    ["Comments", "12 Comments", "Comments (3)", "RELATED ARTICLES:", "Mehr zum Thema", "À lire aussi", "Leer más »",
     "Читайте также:", "相关阅读：", "関連記事", "관련기사", "اقرأ أيضاً", "यह भी पढ़ें"],
)  # fmt: skip
def test_a_block_that_is_nothing_but_a_cue_is_an_end(text: str) -> None:
    assert is_end(fold(text))


@pytest.mark.parametrize(
    "text", ["Comments on the bridge were many", "No related articles of evidence were found", "2024", "", "»"]
)
def test_a_sentence_with_the_words_of_a_cue_is_none(text: str) -> None:
    assert not is_end(fold(text))


@pytest.mark.parametrize(
    "text",
    ["A version of this article appears in print on March 5, Section A.", "Read more: Bridge opens", "Advertisement",
     "Lesen Sie auch: Die Brücke", "Читайте также: Мост", "责任编辑：王某", "Publicité", "Baca juga: Jembatan"],
)  # fmt: skip
def test_notes_are_told_by_how_they_start(text: str) -> None:
    assert is_note(fold(text))


@pytest.mark.parametrize(
    "text",
    ["Advertisement revenue fell in March.", "Readmore is a company.", "Werbung ist teuer.", "Reklama kosztuje.", ""],
)
def test_a_word_that_could_start_a_sentence_is_a_note_only_by_itself(text: str) -> None:
    assert not is_note(fold(text))


@pytest.mark.parametrize(
    "line",
    [
        "Article continues after advertisement",
        "Advertisement — scroll to continue",
        "Advertisement - story continues below",
        "Der Artikel geht nach der Anzeige weiter",
        "Artikel wird nach der Werbung fortgesetzt",
        "L'article continue après la publicité",
        "La noticia continúa después de este anuncio",
        "O artigo continua após a publicidade",
        "L'articolo continua dopo la pubblicità",
        "Lees verder onder de advertentie",
        "Artikeln fortsätter efter annonsen",
        "Saken fortsetter etter annonsen",
        "Artiklen fortsætter efter annoncen",
        "Juttu jatkuu mainoksen jälkeen",
        "Ciąg dalszy artykułu pod reklamą",
        "Продолжение после рекламы",
        "Продовження після реклами",
        "Haber reklamdan sonra devam ediyor",
        "Η συνέχεια μετά τη διαφήμιση",
        "يتبع بعد الإعلان",
        "ادامه مطلب پس از تبلیغات",
        "הכתבה ממשיכה אחרי הפרסומת",
        "विज्ञापन के बाद खबर जारी है",
        "Artikel berlanjut setelah iklan",
        "Bài viết tiếp tục sau quảng cáo",
        "廣告 請繼續往下閱讀",
        "広告の後に続きます",
        "기사는 광고 뒤에 계속됩니다",
        "อ่านต่อหลังโฆษณา",
    ],
)
def test_lines_between_parts_of_an_article_are_known_by_their_words(line: str) -> None:
    assert is_continuation(fold(line))


@pytest.mark.parametrize(
    "line",
    [
        "The story continues after his death",
        "Advertising revenue continues to fall",
        "He continued below the bridge",
        "Die Werbung ging weiter",
        "La publicidad continúa",
        "Реклама продолжается",
        "広告の市場",
    ],
)
def test_sentences_with_some_of_these_words_are_not(line: str) -> None:
    assert not is_continuation(fold(line))


PROSE = "The council agreed to build the new bridge, and the mayor was glad of it. " + "So it is. " * 9
STORY = "".join(f"<p>{n} {PROSE}</p>" for n in ("One", "Two", "Three"))
ENDS = ("Comments (2)", "Mehr zum Thema", "相关阅读")


@pytest.mark.parametrize(
    ("body", "first_words"),
    [
        *((f"{STORY}<h3>{cue}</h3><p>Four.</p>", "One Two Three") for cue in ENDS),
        (f"<p>Zero is the number of boats.</p><h3>Related stories</h3>{STORY}", "Zero One Two Three"),
    ],
)
def test_a_text_ends_at_a_cue_below_it_and_a_cue_high_up_goes_alone(
    page_of: Callable[[str], Page], body: str, first_words: str
) -> None:
    """No page of another test is left to this step alone."""
    page = page_of(body)
    (step,) = (one for one in FINISH if one.name == "after the end")
    left = run_filters(page, range(len(page.runs)), [step])
    assert " ".join(page.runs[i].text.split()[0] for i in left) == first_words
