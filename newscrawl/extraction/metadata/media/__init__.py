"""The images, videos and sounds of an article as fields: addresses and what the page states about them.

Nothing is loaded. In here: `read` reads JSON-LD and meta elements, and collects all media for the text that was chosen;
`in_page` reads the elements of the page (img, picture, video, audio, iframe), `captions` the caption and the credit of
a figure. Addresses and sizes are read by `newscrawl.extraction.metadata.addresses`. Start with `read`.
"""
