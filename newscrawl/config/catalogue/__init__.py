"""Every setting of newscrawl, declared once: name, type, default, range, unit, meaning, and whether a site may have its
own value.

In here: `setting` describes one setting and `kinds` its kinds of value; a group is a frozen dataclass whose fields are
the settings (`crawl`, `storage`, `operation`); `Config` in `config` holds one of each. A duration without a unit in its
name is in seconds, as in Scrapy. Not in here: reading Scrapy's settings (`newscrawl.config.reading`) and the page about
them (`newscrawl.config.reference`). To add a setting, add a field to its group. Start with `config`.

It imports no large modules, because every command loads it. Other packages use it through `newscrawl.config`.
"""

from __future__ import annotations

from newscrawl.config.catalogue.config import CATALOGUE, PER_SITE, Config, groups
from newscrawl.config.catalogue.setting import Setting

__all__ = ["CATALOGUE", "PER_SITE", "Config", "Setting", "groups"]
