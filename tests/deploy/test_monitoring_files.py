"""The Grafana dashboard and the Prometheus rules use metrics and labels that a real `newscrawl run` has."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import yaml
from docs_pages import check_command
from fleet_process import FleetProcess, make_project, served
from fleet_stories import WorldOptions
from patience import PATIENCE

from newscrawl.storage import machines
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.migrations import HEAD
from newscrawl.storage.store import open_store
from newscrawl.testing.services.local import free_port
from newscrawl.testing.services.webhook import WebhookReceiver, serving

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((DEPLOY / "prometheus-rules.yml").read_text("utf-8"))["groups"]
    for rule in group["rules"]
]
TARGETS = [target for panel in DASHBOARD["panels"] for target in panel["targets"]]
EXPRESSIONS = [*(target["expr"] for target in TARGETS), *(rule["expr"] for rule in RULES)]
OF_PROMETHEUS = {"up": {"job", "instance"}}
SCRAPED = {"job", "instance"}
"""Labels that Prometheus adds."""
SELECTOR = re.compile(r"\b(newscrawl_\w+|up)\b(?:\{([^}]*)\})?")
Labels = dict[str, set[str]]


def selectors(expression: str) -> Iterator[tuple[str, set[str]]]:
    """The metrics of an expression, each with the labels that it is selected by."""
    for name, inside in SELECTOR.findall(expression):
        yield name, set(re.findall(r"(\w+)\s*[=!]~?", inside))


def named(expression: str) -> set[str]:
    """The labels after `by` in an expression."""
    return {label for group in re.findall(r"\bby \(([^)]*)\)", expression) for label in re.split(r"[,\s]+", group)}


def metrics(port: int) -> str:
    """What /metrics answers, "" while it does not."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            return str(answer.read().decode())
    except (URLError, ConnectionError):
        return ""


def labels_of(text: str) -> Labels:
    """The metrics of an answer with the labels of their samples."""
    found: Labels = defaultdict(set)
    for name in re.findall(r"^# TYPE (\w+)", text, re.MULTILINE):
        found[name] |= set()
    for name, inside in re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", text, re.MULTILINE):
        found[name] |= set(re.findall(r'(\w+)="', inside))
    return found


def make_fleet(folder: Path, port: int, hook: str) -> FleetProcess:
    """A project of a site with a feed that is gone, a file that cannot be read, a webhook and a deaf mail
    server, with a database that a machine has left."""
    database = f"sqlite:///{folder}/fleet.db"
    with open_store(database, upgrade=True) as store:
        left = CrawlingProcess("bert/1/boot.1", "bert", "run", "0.1.0", HEAD)
        store.run(machines.register, left, now=datetime(2026, 1, 1, tzinfo=UTC)).result(PATIENCE)
    mail = {"HOST": "127.0.0.1", "PORT": "9", "TLS": "none", "FROM": "a@b.example", "TO": "a@b.example"}
    fleet = make_project(
        folder,
        port,
        1,
        database,
        NEWSCRAWL_ALERT_WEBHOOK=hook,
        NEWSCRAWL_WATCHDOG_INTERVAL="0.5",
        **{f"NEWSCRAWL_ALERT_MAIL_{name}": value for name, value in mail.items()},
    )
    local = folder / "spiders" / "local.py"
    feeds = local.read_text("utf-8").replace('/feed.xml",', f'/feed.xml", "http://site0.localhost:{port}/gone.xml",')
    local.write_text(feeds, "utf-8")
    (folder / "spiders" / "broken.py").write_text("this is no Python\n", "utf-8")
    return fleet


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Labels:
    """The metrics and labels of a real run that has everything to tell."""
    folder = tmp_path_factory.mktemp("fleet")
    (folder / "requests.jsonl").touch()
    world = WorldOptions(sites=1, log=str(folder / "requests.jsonl"), seconds=3600.0)
    health = free_port()
    with served(world) as (port, _), serving(WebhookReceiver()) as address:
        fleet = make_fleet(folder, port, address)
        fleet.start("--health", str(health))
        try:
            until, text = time.monotonic() + PATIENCE, ""
            wanted = {name for expression in EXPRESSIONS for name, _ in selectors(expression)} - set(OF_PROMETHEUS)
            while time.monotonic() < until:
                found = labels_of(text := metrics(health))
                if text and all(found.get(name) or f"\n{name} " in text for name in wanted):
                    break
                time.sleep(0.2)
        finally:
            fleet.stop()
    assert text, (folder / "run.log").read_text("utf-8")
    return labels_of(text)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_asks_for_metrics_and_labels_of_a_run(expression: str, run: Labels) -> None:
    known = run | OF_PROMETHEUS
    asked = dict(selectors(expression))
    assert asked, "no metric"
    assert asked.keys() <= known.keys()
    for name, by in asked.items():
        assert by | (named(expression) & {"site", "kind", "receiver", "machine"}) <= known[name] | SCRAPED, name


def test_the_legends_and_the_texts_name_labels_that_the_expressions_have() -> None:
    for target in TARGETS:
        shown = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
        assert shown <= named(target["expr"]) | SCRAPED, target
    for rule in RULES:
        said = set(re.findall(r"\$labels\.(\w+)", json.dumps(rule["annotations"])))
        grouped = named(rule["expr"])
        assert said <= (grouped or {"site", *SCRAPED}), rule["alert"]


def test_the_site_of_the_dashboard_is_a_label_of_its_metric(run: Labels) -> None:
    (site,) = [one for one in DASHBOARD["templating"]["list"] if one["name"] == "site"]
    match = re.fullmatch(r"label_values\((\w+), (\w+)\)", site["query"]["query"])
    assert match is not None
    assert match[2] in run[match[1]]


def test_the_panels_do_not_overlap_and_every_metric_of_a_run_is_shown(run: Labels) -> None:
    cells = [
        (row, column)
        for place in (panel["gridPos"] for panel in DASHBOARD["panels"])
        for row in range(place["y"], place["y"] + place["h"])
        for column in range(place["x"], place["x"] + place["w"])
    ]
    assert len(cells) == len(set(cells))
    assert max(column for _, column in cells) < 24
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    shown = {name for target in TARGETS for name, _ in selectors(target["expr"])}
    assert set(run) - shown == set()


def test_the_rules_have_what_an_alert_needs() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "0s"))
        for words in re.findall(r"newscrawl ((?:status|doctor|review|machines)[^;\"]*)", rule["annotations"]["action"]):
            named = words.replace("{{ $labels.site }}", "elpais").replace("{{ $labels.machine }}", "b")
            check_command(shlex.split(named))


@pytest.mark.skipif(shutil.which("promtool") is None, reason="no Prometheus here")
def test_prometheus_reads_the_rules_and_the_expressions_of_the_dashboard(tmp_path: Path) -> None:
    panels = [{"record": f"panel:{number}", "expr": expression} for number, expression in enumerate(EXPRESSIONS)]
    text = yaml.safe_dump({"groups": [{"name": "panels", "rules": panels}]}).replace("$site", ".*")
    (tmp_path / "panels.yml").write_text(text, "utf-8")
    for file in (DEPLOY / "prometheus-rules.yml", tmp_path / "panels.yml"):
        subprocess.run(["promtool", "check", "rules", str(file)], check=True, capture_output=True, timeout=PATIENCE)
