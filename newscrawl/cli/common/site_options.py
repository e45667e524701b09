"""The options of extraction that a site of the project declares, for commands that read single pages."""

from __future__ import annotations

import click

from newscrawl.article.make import ArticleOptions
from newscrawl.errors import MissingDatabase, UnknownSiteError
from newscrawl.site_boilerplate import NO_BOILERPLATE, SiteBoilerplate

site_option = click.option(
    "--site",
    help="Apply the settings and hints of this site's declaration, and leave out the lines that `newscrawl learn` "
    "found for it.",
)


def options_of_named(site: str) -> ArticleOptions:
    """Returns the options with which a crawl of the site reads its pages, with the epoch of its boilerplate that is
    current in the project's database. Raises UnknownSiteError, UsageError for a declaration that cannot be used, and
    StorageError for a database that exists and cannot be read."""
    # Loaded for this option only: reading a page without it needs neither a project nor a database.
    from scrapy.spiderloader import get_spider_loader

    from newscrawl.cli.common.project import required_settings
    from newscrawl.config.derived.article_options import options_of_site

    settings = required_settings()
    loader = get_spider_loader(settings)
    names = frozenset(loader.list())
    if site not in names:
        raise UnknownSiteError(site, names)
    options = options_of_site(settings, site, loader.load(site))
    return options.with_boilerplate(_current_epoch(site)) if options.leaves_out_boilerplate else options


def _current_epoch(site: str) -> SiteBoilerplate:
    """Returns the current epoch of the site; an empty one if there is no database yet."""
    from newscrawl.cli.common.project import project_reader
    from newscrawl.storage.monitoring import site_models

    try:
        with project_reader() as connection:
            return site_models.boilerplate(connection, site)
    except MissingDatabase:
        return NO_BOILERPLATE
