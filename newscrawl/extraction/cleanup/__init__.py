"""What is left out of a selected text, or put back, after an extractor has chosen its paragraphs.

Start with `finish`, which runs the steps in their order.
"""
