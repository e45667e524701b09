"""`newscrawl check` in a project, offline and against the site."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import replica_habits as habits
from replicas import Replicas

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_what_changed_is_said_offline_and_live(replicas: Replicas, project: Path, run: Run) -> None:
    site = replicas.site("town", layout=1)
    habits.slug_number(site)
    assert run("newscrawl", "add-site", site.home, "--fixtures").returncode == 0
    frozen = project / "site-tests" / "town" / "expected.json"
    read = json.loads(frozen.read_text())
    read["pages"][0]["text"] += ["A paragraph that was there once and is not found any more by anybody."] * 9
    read["pages"][1]["title"] = "Another title"
    frozen.write_text(json.dumps(read))
    asked = len(replicas.addresses)
    offline = run("newscrawl", "check", "--all", "--json")
    assert offline.returncode == 1
    kinds = [change["kind"] for change in json.loads(offline.stdout)[0]["changes"]]
    assert kinds == ["text/shrunk", "title/changed"]
    assert len(replicas.addresses) == asked

    for url in site.titles:
        key = url.removeprefix("http://")
        status, kind, body = site.pages[key]
        start, end = body.index(b'<div class="text">'), body.index(b"<aside>")
        site.pages[key] = (status, kind, body[: start + (end - start) // 4] + b"</p></div></div>" + body[end:])
    del site.pages[f"{site.origin}/rss/home.xml".removeprefix("http://")]
    broken = run("newscrawl", "check", "town", "--live")
    assert broken.returncode == 1
    assert "source/gone" in broken.stdout
    assert "text/shrunk" in broken.stdout


def test_a_site_without_a_self_test_is_said_in_one_line(run: Run) -> None:
    done = run("newscrawl", "check", "demo")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "has no self-test" in done.stderr
