"""A small news site written for this project. `scrapy crawl demo` crawls it, and tests can serve it.

The Lanternhead Courier / El Correo de Puerto Farol, in an invented country.

In here: stories.toml holds the texts and `site/` the pages and feeds that they are served in; `content` reads the first
and `pages` fills the second; `site` knows every address and its answer, the broken and moved ones too; `server` puts it
on loopback, with the connections of `keep_alive`. Not in here: the spider (spiders/demo.py), and what a crawler should
make of each address (tests/support/demo_expected.py). Start with `site`.

 The demo spider, `newscrawl bench`, `newscrawl.testing` and the tests import this package.
"""

from newscrawl.demo.server import DemoServer
from newscrawl.demo.site import ORIGIN, DemoSite

__all__ = ["ORIGIN", "DemoServer", "DemoSite"]
