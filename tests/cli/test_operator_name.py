"""The name of who runs a command, also where the number of the user has none."""

from __future__ import annotations

import getpass

import pytest

from newscrawl.cli.common.words import MAX_NAME, operator_name


@pytest.mark.parametrize("error", [KeyError("uid not found: 4711"), OSError("no username set in the environment")])
def test_a_user_without_a_name_is_the_command_line(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def unknown() -> str:
        raise error

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert operator_name() == "the command line"


def test_a_name_is_of_bounded_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "a" * 1000)
    assert operator_name() == "a" * MAX_NAME
