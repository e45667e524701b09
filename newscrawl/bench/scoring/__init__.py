"""How far two texts agree: shingles, ROUGE, snippets that must and must not be there, and intervals by resampling.

In here: `scores` compares two texts, `rouge` is ROUGE-LSum, `snippets` judges corpora without full texts, `intervals`
says how sure a figure is. Pure: texts go in, figures come out. Start with `scores`.
"""
