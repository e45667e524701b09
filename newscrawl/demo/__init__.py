"""A small news site written for this project. `scrapy crawl demo` crawls it, and tests can serve it.

The Lanternhead Courier / El Correo de Puerto Farol, in an invented country.

In here: `stories` holds the texts and `templates` the mark-up they are served in; `site` knows every address; `server`
puts it on loopback; `expected` says what a crawler should make of each address; `listings`, `conditional`, `noise` and
`oddities` make the feeds, the 304 answers, the adverts and the broken pages. Not in here: the spider (spiders/demo.py).
Start with `site`.

The commands, the spiders and the tests may import this package.
"""

from newscrawl.demo.server import DemoServer
from newscrawl.demo.site import ORIGIN, DemoSite

__all__ = ["ORIGIN", "DemoServer", "DemoSite"]
