"""How many examples Hypothesis tries: all of them under `make test`, a fifth under `make quick`."""

from __future__ import annotations

from typing import Final

from hypothesis import HealthCheck, settings

COMPLETE: Final = "complete"
QUICK: Final = "quick"
EXAMPLES: Final = 100
"""Of a test that names no number."""
QUICK_SHARE: Final = 0.2
MIN_EXAMPLES: Final = 5


def register_profiles() -> None:
    """Profiles for `--hypothesis-profile`; COMPLETE holds without it."""
    # How long an example takes says something of the machine and nothing of the code.
    any_machine = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile(COMPLETE, max_examples=EXAMPLES, **any_machine)
    settings.register_profile(QUICK, max_examples=int(EXAMPLES * QUICK_SHARE), **any_machine)
    settings.load_profile(COMPLETE)


def examples(number: int, at_least: int = MIN_EXAMPLES) -> int:
    """`number` of examples or of drawn steps, or the quick profile's share of them."""
    return max(at_least, number * settings.default.max_examples // EXAMPLES)
