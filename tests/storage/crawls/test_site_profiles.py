"""What sites declare is stored when it changes, and read for pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from patience import PATIENCE

from newscrawl.storage import Store
from newscrawl.storage.crawls import site_profiles
from newscrawl.storage.crawls.site_profiles import AppliedSetting, Locale, SiteDeclaration
from newscrawl.storage.removal import forget

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SETTINGS = (AppliedSetting("delay", "3.0", "the site's file"), AppliedSetting("cron", "", "default"))
TOWN = SiteDeclaration("town", "https://town.example/", "en", "uk", (r"/\d{4}/",), SETTINGS)


def note(store: Store, declared: SiteDeclaration, at: datetime) -> None:
    store.run(site_profiles.note, declared, at).result(PATIENCE)


def test_a_declaration_is_written_when_it_changes(store: Store) -> None:
    note(store, TOWN, NOW)
    note(store, TOWN, NOW + timedelta(hours=1))
    with store.reading() as connection:
        assert site_profiles.load_site(connection, "town") == (TOWN, NOW)
        assert site_profiles.load_site(connection, "valley") is None
    changed = SiteDeclaration("town", TOWN.home, None, None, (), ())
    note(store, changed, NOW + timedelta(hours=2))
    with store.reading() as connection:
        assert site_profiles.load_site(connection, "town") == (changed, NOW + timedelta(hours=2))


def test_only_sites_that_declare_a_language_or_a_country_have_one(store: Store) -> None:
    note(store, TOWN, NOW)
    note(store, SiteDeclaration("valley", "https://valley.example/", None, None, (), ()), NOW)
    with store.reading() as connection:
        assert site_profiles.locales(connection) == {"town": Locale("en", "uk")}


def test_a_forgotten_site_declares_nothing(store: Store) -> None:
    note(store, TOWN, NOW)
    store.run(forget.forget_site, "town", NOW).result(PATIENCE)
    with store.reading() as connection:
        assert site_profiles.load_site(connection, "town") is None
