"""Verdict rules of the user: they exclude pages that the built-in verdicts accept as articles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol, get_args

from newscrawl.config import extensions
from newscrawl.config.extensions import VERDICT_RULES, Extension
from newscrawl.errors import ConfigurationError, ExtractionError
from newscrawl.extraction.article.signals import Signals
from newscrawl.model import Verdict

TAKEN: Final = frozenset({*get_args(Verdict), "changed"})
"""Names that no rule may have: the built-in verdicts, and `verdict/changed`, which is a code of `newscrawl check`."""
MAX_EVIDENCE: Final = 20
"""Largest number of pieces of evidence that are kept for one rule and page."""


class VerdictRule(Protocol):
    """Decides whether a page is excluded as an article in this project.

    A rule is applied to pages that the built-in verdicts accept as articles (article, live, paywalled, short). The
    first rule with evidence decides: the page is not stored as an article, and its outcome is `verdict/NAME` with the
    evidence as the reason. NAME is the rule's own name. If the rule raises, the outcome is `extraction/error`.
    """

    def __call__(self, signals: Signals, /) -> Iterable[str]:
        """Yields the evidence, a short text for each piece; nothing if the page is an article."""


Rules = Sequence[str | VerdictRule]
"""Rules by reference: names of installed ones, import paths (MODULE:FUNCTION), or the functions themselves."""


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A loaded rule: the name of its verdict, its origin, and the function."""

    name: str
    path: str
    rule: Callable[[Signals], Iterable[str]]

    def evidence(self, signals: Signals) -> tuple[str, ...]:
        """Returns the evidence for its verdict, empty if there is none. Raises ExtractionError for any error in the
        rule."""
        try:
            found = self.rule(signals)
            if not isinstance(found, str) and isinstance(found, Iterable):
                return tuple(str(sign) for sign in islice(found, MAX_EVIDENCE))
        except MemoryError:
            raise
        # The user's code: its errors are failures of this page, with the rule's name.
        except (Exception, SystemExit) as error:
            raise self._error(f"raised {extensions.described(error)}") from error
        raise self._error(f"returned a {type(found).__name__}: let it yield texts, or return a list of them")

    def _error(self, problem: str) -> ExtractionError:
        return ExtractionError(f"verdict rule {self.name!r} ({self.path}) {problem}")


def load_rules(references: Rules) -> tuple[NamedRule, ...]:
    """Returns the rules in their order. Raises ExtensionError, and ConfigurationError for a name that no package
    declares."""
    rules: dict[str, NamedRule] = {}
    for reference in references:
        rule = _loaded(reference)
        if other := rules.get(rule.name):
            problem = f"{rule.path} and {other.path} are both named {rule.name!r}: rename one"
            raise ConfigurationError(VERDICT_RULES.setting, problem)
        rules[rule.name] = rule
    return tuple(rules.values())


def installed_rules() -> dict[str, Extension]:
    """Returns the rules that installed packages declare, by name. Raises ExtensionError for names that cannot be
    used."""
    return extensions.installed(VERDICT_RULES, TAKEN)


def _loaded(reference: str | VerdictRule) -> NamedRule:
    if not isinstance(reference, str):
        name = getattr(reference, "__name__", type(reference).__name__)
        path = f"{getattr(reference, '__module__', '')}:{name}"
        return NamedRule(extensions.from_setting(VERDICT_RULES, name, path, TAKEN).name, path, reference)
    extension = _of_path(reference) if ":" in reference else _installed(reference)
    return NamedRule(extension.name, extension.path, extension.load_callable("signals"))


def _of_path(path: str) -> Extension:
    """The rule of an import path; it has the name of its function."""
    return extensions.from_setting(VERDICT_RULES, path.rpartition(":")[2].rpartition(".")[2].strip(), path, TAKEN)


def _installed(name: str) -> Extension:
    found = installed_rules()
    if name not in found:
        known = f"installed are {', '.join(sorted(found))}" if found else "no package declares one"
        raise ConfigurationError(
            VERDICT_RULES.setting, f"there is no verdict rule {name!r}: {known}; a rule of your own is MODULE:FUNCTION"
        )
    return found[name]
