"""The options of extraction that a site of the project declares, for commands that read single pages."""

from __future__ import annotations

import click

from newscrawl.article import ArticleOptions
from newscrawl.errors import UnknownSiteError

site_option = click.option("--site", help="Read the page with the settings and hints of this site's declaration.")


def options_of_named(site: str) -> ArticleOptions:
    """Returns the options with which a crawl of the site reads its pages. Raises UnknownSiteError, and UsageError for a
    declaration that cannot be used."""
    # Loaded for this option only: reading a page without it needs neither a project nor a database.
    from scrapy.spiderloader import get_spider_loader

    from newscrawl.cli.project import required_settings
    from newscrawl.config.derived.article_options import options_of_site

    settings = required_settings()
    loader = get_spider_loader(settings)
    names = frozenset(loader.list())
    if site not in names:
        raise UnknownSiteError(site, names)
    return options_of_site(settings, site, loader.load(site))
