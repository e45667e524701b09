"""The pages of `newscrawl web` over a large fleet: how long views take, and pictures of the screens.

`python -m benchmarks.web --help` is the command. `fleet_database` fills a database with sites and articles. The
pictures are drawn with Debian's Chromium (extra `browser`).
"""
