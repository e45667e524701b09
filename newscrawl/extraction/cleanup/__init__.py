"""What is left out of a selected text, or put back, after an extractor has chosen its paragraphs.

In here: `finish` runs the steps in their order; `leave_out`, `boxes`, `neighbours` and `within` remove what is no part
of the text or put back what is; `standfirst` finds the lead paragraph; `cues` holds the words that newsrooms write
around articles. Start with `finish`.
"""
