"""The files of a project's sites and self-tests, and writing the file of a new site."""

from __future__ import annotations

import ast
import importlib.util
import ipaddress
import os
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from scrapy.settings import Settings
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.conf import closest_scrapy_cfg

from newscrawl.discovery.proposals.declaration import Declaration, render
from newscrawl.errors import ProjectError, UnknownSiteError, UsageError, os_reason
from newscrawl.model.identity import registrable_domain
from newscrawl.model.identity.domains import ascii_host, host_of

TESTS = "site-tests"


class Project:
    """An operator's project: its spiders as they are on disk now."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.root = Path(closest_scrapy_cfg()).parent
        self.tests = self.root / TESTS
        self.spiders = _folder(settings["NEWSPIDER_MODULE"])
        self._loader = get_spider_loader(settings)
        self.names = frozenset(self._loader.list())

    def spider(self, name: str) -> type:
        """Returns the spider of this name; raises UnknownSiteError."""
        if name not in self.names:
            raise UnknownSiteError(name, self.names)
        spider: type = self._loader.load(name)
        return spider

    def owner(self, url: str) -> str | None:
        """Returns the name of the site with this URL; None if there is none."""
        labels = host_of(url).split(".")
        for start in range(len(labels)):
            for name, home in self._domains.get(".".join(labels[start:]), ()):
                # One IP address may have several sites, each at its own port.
                if site_key(url) == registrable_domain(url) or site_key(home) == site_key(url):
                    return name
        return None

    @cached_property
    def _domains(self) -> dict[str, list[tuple[str, str]]]:
        """Name and front page of the sites of each domain."""
        found: dict[str, list[tuple[str, str]]] = {}
        for name in sorted(self.names):
            spider = self._loader.load(name)
            for domain in getattr(spider, "domains", ()) or ():
                found.setdefault(ascii_host(domain) or domain.lower(), []).append(
                    (name, getattr(spider, "home", None) or f"https://{domain}/")
                )
        return found

    def taken(self) -> frozenset[str]:
        """Names that a new site cannot have: those of sites, and of files beside them."""
        return self.names | {path.stem for path in self.spiders.glob("*.py")}

    def path(self, name: str) -> Path:
        """Returns the path of the file of a new site."""
        return self.spiders / f"{name}.py"

    def check_name(self, name: str) -> None:
        """Raises UsageError for a name that is not a valid module name."""
        if not name.isidentifier() or not name.isascii() or name != name.lower() or name.startswith("_"):
            raise UsageError(
                f"option --name: {name!r} is no module's name; write letters, digits and _, as in example_news"
            )

    def write(self, site: Declaration, *, force: bool) -> Path:
        """Writes a site's file atomically. Raises UsageError for a file that exists, unless `force`."""
        text = render(site)
        ast.parse(text)
        path = self.path(site.name)
        try:
            if force:
                new = path.with_name(f".{path.name}.new")
                new.write_text(text, encoding="utf-8")
                new.replace(path)
            else:
                with path.open("x", encoding="utf-8") as file:
                    file.write(text)
        except FileExistsError as error:
            raise UsageError(
                f"{shown(path)} exists: --force overwrites it, --name gives the site another name"
            ) from error
        except OSError as error:
            raise UsageError(f"cannot write {shown(path)}: {os_reason(error)}") from error
        return path


def site_key(url: str) -> str:
    """Returns the key by which two URLs belong to one site: the registrable domain; for IP addresses and localhost with
    the port."""
    domain = registrable_domain(url)
    return urlsplit(url).netloc if domain == "localhost" or _is_address(domain) else domain


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def shown(path: Path) -> str:
    """Returns a path in the form that an operator would type."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def _folder(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ProjectError(f"setting NEWSPIDER_MODULE: {module!r} is no package to write sites into")
    return Path(places[0])
