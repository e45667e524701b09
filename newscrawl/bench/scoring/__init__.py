"""Scores of a text against a gold text.

In here: `scores` compares shingles and characters of two texts, `rouge` is ROUGE-LSum, `snippets` scores corpora
without full texts, `intervals` computes confidence intervals by resampling. Pure: texts go in, figures come out. Start
with `scores`.
"""
