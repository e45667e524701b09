"""A small news site written for this project: what `scrapy crawl demo` crawls, and what tests can serve.

The Lanternhead Courier / El Correo de Puerto Farol, in an invented country. `stories/` holds the texts, `templates/`
the mark-up they are served in, `site` knows every address, `server` puts it on loopback, and `expected` says what a
crawler should make of each address.
"""

from newscrawl.demo.server import DemoServer
from newscrawl.demo.site import ORIGIN, Site

__all__ = ["ORIGIN", "DemoServer", "Site"]
