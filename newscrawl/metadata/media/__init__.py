"""The images, videos and sounds of an article as fields: addresses and what the page states about them.

Nothing is loaded. In here: `read` collects them for the text that was chosen; `in_page` reads the elements of the page
(img, picture, video, audio, iframe), `stated` JSON-LD and meta elements, `captions` the caption and the credit of a
figure, `addresses` the addresses and their sizes. Start with `read`.
"""
