"""Corrections of a selected text: filters leave out or add runs after an extractor has chosen paragraphs.

In here: `finish` has the filters in their order; `draft` is what they are run over, and how. `copies`, `around`,
`within` and `notes` find parts that are not the article's text, `restore` finds missing ones. `within` has the names of
boxes, too, `cues` the phrases that newsrooms write around articles. `beside` finds the entries of a live report, runs
beside adverts, the lead and the opening paragraphs (for `article_group`). Start with `finish`.
"""
