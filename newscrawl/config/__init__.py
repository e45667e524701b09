"""Settings: where they are read, their names, and the values that the rest of newscrawl derives from them.

In here:

    catalogue              describes every setting; `Config` holds their values
    setting                the description of one setting, which converts values
    scrapy_cfg, project    find the project's settings
    reading                reads a `Config` from them
    environment            reads NEWSCRAWL_ variables in a settings module
    names                  refuses unknown names
    per_site               checks the settings of a single site
    scrapy_defaults        the Scrapy settings that make a crawl safe and polite
    scrapy_commands        finds a wrong SCRAPY_PROJECT before Scrapy does
    user_agent             makes the User-Agent header
    derived                the values that other packages need, each computed from a `Config`
    reference              prints the page about the settings
    extensions             finds what users add
    logs                   writes log lines and guards terminals
    version                the installed version

Not in here: the check of all settings at the start of a process, which knows the parts that use them
(`crawling.runtime.setting_checks`). Start with `catalogue`.

`newscrawl.publishing.deliver.sender` and everything above it may import this package, and so may a project's settings
modules. `logs`, `extensions` and `version` stand below most packages, because they know nothing of the settings.
"""
