"""Views screens of a running `newscrawl web`: the time that they take, and pictures drawn with Debian's Chromium."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import click

CHROMIUM: Final = shutil.which("chromium-headless-shell") or shutil.which("chromium")
LOOKS: Final = ((1400, "light"), (1400, "dark"), (390, "light"), (390, "dark"))
HEIGHT: Final = 860


def draw(base: str, login: str, paths: Mapping[str, str], folder: Path, *, is_whole: bool = False) -> list[Path]:
    """Draws each screen wide and narrow, light and dark. `is_whole` draws what is below the window,
    too. Returns the files. Needs the extra `browser`."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    drawn: list[Path] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        first = browser.new_context()
        first.new_page().goto(f"{base}{login}")
        state = first.storage_state()
        for width, scheme in LOOKS:
            size = {"width": width, "height": HEIGHT}
            context = browser.new_context(storage_state=state, viewport=size, color_scheme=scheme)
            for name, path in paths.items():
                page = context.new_page()
                answer = page.goto(f"{base}{path}")
                if answer is None or answer.status != 200:
                    raise RuntimeError(f"{path} cannot be drawn: status {answer.status if answer else 'unknown'}")
                drawn.append(folder / f"{name}-{width}-{scheme}.png")
                page.screenshot(path=str(drawn[-1]), full_page=is_whole)
                page.close()
        browser.close()
    return drawn


TOKEN: Final = "the-token-of-a-measurement"


def view(port: int, path: str) -> float:
    """Returns the seconds that one view takes, over a connection of its own."""
    begun = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise click.ClickException(f"{path} was answered with {answer.status}")
    return time.perf_counter() - begun
