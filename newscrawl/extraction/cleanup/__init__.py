"""Corrections of a selected text: parts are removed or restored after an extractor has chosen paragraphs.

In here: `finish` runs the steps in their order. `copies`, `around`, `leave_out`, `boxes`, `neighbours` and `within`
remove parts that are not the article's text, `sign_ups` boxes with a field for a mail address, `popups` layers inside a
paragraph, `paywalls` the offers that end the free part of an article. `parts` and `within` restore parts that are.
`standfirst` finds the lead and the opening paragraphs, `entries` those of a live report. `cues` has the phrases that
newsrooms write around articles. Start with `finish`.
"""
