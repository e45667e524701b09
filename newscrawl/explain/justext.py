"""Explains jusText: the class of each run's paragraph, first alone, then by its neighbours."""

from __future__ import annotations

from newscrawl.explain.trace import ExtractorTrace, Remark
from newscrawl.extraction.justext import classify, classify_context_free, make_paragraphs, rules_for
from newscrawl.extraction.language import page_language
from newscrawl.page import Page


def justext_reasons(page: Page) -> ExtractorTrace:
    """Returns the features and classes of every paragraph."""
    language = page_language(page)
    rules, stopwords = rules_for(language)
    paragraphs = make_paragraphs(page.runs)
    classes = classify(paragraphs, stopwords, rules)
    remarks: dict[int, list[Remark]] = {}
    selected: list[int] = []
    for paragraph, final in zip(paragraphs, classes, strict=True):
        alone = classify_context_free(paragraph, stopwords, rules)
        members = len(paragraph.runs)
        features = (
            f"{rules.length(paragraph.text):.0f} characters, link density {paragraph.link_density:.2f}, "
            f"stop words {paragraph.stopword_density(stopwords):.2f} ({language or 'no'} list)"
            + (", heading" if paragraph.heading else "")
            + (", copyright sign" if paragraph.has_copyright_sign else "")
            + (f", paragraph of {members} runs" if members > 1 else "")
        )
        of_paragraph = [
            Remark("paragraph", features),
            Remark("by itself", alone, alone == "good"),
            Remark("beside its neighbours", final, final == "good"),
        ]
        remarks.update(dict.fromkeys(paragraph.runs, of_paragraph))
        if final == "good":
            selected.extend(paragraph.runs)
    return ExtractorTrace(tuple(selected), remarks)
