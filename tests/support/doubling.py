"""Shows that the time of a function grows in proportion to its input, also on a busy machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any, Final

import pytest

MEASURABLE_SECONDS: Final = 0.004
"""Time of a call below which the clock's noise would decide."""
SMALL_CALLS: Final = 2
"""In the first round. With the two calls that look for a size, the input n is measured four times. Only too large a
time for each of the four would hide a quadratic function. The time of 2n cannot be too small: one call is enough."""
MAX_ROUNDS: Final = 30
SIZES: Final = 6
"""How often n is doubled at most until a call takes MEASURABLE_SECONDS."""
DOUBLINGS: Final = 3
"""All of these show too much if a function is not linear. One alone shows where memory begins to cost more: from some
size on the allocator fetches every block anew from the system (json.loads on a string of 400 to 800 kB: six times)."""
ROUNDS_TO_A_PAUSE: Final = 8
PAUSE_SECONDS: Final = 0.2
"""What disturbs a measurement passes: rounds that show too much are spread over more than a second."""


def doubling(
    function: Callable[[Any], object],
    make_input: Callable[[int], Any],
    n: int,
    *,
    factor: float = 2.8,
    clock: Callable[[], float] = time.thread_time,
    pause: Callable[[float], object] = time.sleep,
) -> None:
    """Fails unless the function's time about doubles with its input.

    `make_input(n)` builds an input of size n. `n` is raised until one call is long enough to measure; then calls at
    n and 2n take turns, and the best of each, with those that looked for n, are compared: a call is never faster
    than it can be, so that the more rounds there are the closer the two come to what they cost, whatever else the
    machine does. Too much in the first round is therefore no verdict yet, too much for MAX_ROUNDS is, and only
    DOUBLINGS of them in a row fail. The factor is generous: a quadratic function shows 4 each time. CPU time of
    this thread is measured, which waiting for the processor is no part of.
    """
    n, value, once = _measurable(function, make_input, n, clock)
    growth = []
    for _ in range(DOUBLINGS):
        twice = make_input(2 * n)
        small, large = _best(function, value, twice, once, factor, clock, pause)
        growth.append(large / small)
        if growth[-1] < factor:
            return
        n, value, once = 2 * n, twice, large
    shown = ", ".join(f"{times:.1f}" for times in growth)
    pytest.fail(f"time grew {shown} times whenever the input doubled, up to {n} (at most {factor} allowed)")


EVEN_FACTOR: Final = 2.5
"""What a doubled input may cost at most where a site decides what is in it."""
HARMLESS_SECONDS: Final = 0.01
"""Less for the doubled input is no harm, whatever it is a multiple of."""
STRIKES: Final = 3


def grows_evenly(
    function: Callable[[Any], object],
    make_input: Callable[[int], Any],
    n: int,
    *,
    clock: Callable[[], float] = time.thread_time,
    pause: Callable[[float], object] = time.sleep,
) -> None:
    """As `doubling`, for hundreds of inputs that are nearly all harmless: one or two calls tell most of them.

    `n` is to be so large that a quadratic function takes far longer than HARMLESS_SECONDS. Only what shows more than
    EVEN_FACTOR several times is measured with all care.
    """
    once, twice = None, make_input(2 * n)
    small = large = float("inf")
    for _ in range(STRIKES):
        large = min(large, _seconds(function, twice, clock))  # the first time with whatever is prepared once
        if large < HARMLESS_SECONDS:
            return
        once = make_input(n) if once is None else once
        small = min(small, _seconds(function, once, clock))
        if large < EVEN_FACTOR * small:
            return
    doubling(function, make_input, n, factor=EVEN_FACTOR, clock=clock, pause=pause)


def _best(
    function: Callable[[Any], object],
    once: Any,
    twice: Any,
    small: float,
    factor: float,
    clock: Callable[[], float],
    pause: Callable[[float], object],
) -> tuple[float, float]:
    """Returns the least seconds of the first input, which took `small` before, and of the second."""
    large = float("inf")
    for number in range(1, MAX_ROUNDS + 1):
        for _ in range(SMALL_CALLS if number == 1 else 1):
            small = min(small, _seconds(function, once, clock))
        large = min(large, _seconds(function, twice, clock))
        if large < factor * small:
            break
        if number % ROUNDS_TO_A_PAUSE == 0:
            pause(PAUSE_SECONDS)
    return small, large


def _measurable(
    function: Callable[[Any], object], make_input: Callable[[int], Any], n: int, clock: Callable[[], float]
) -> tuple[int, Any, float]:
    """Returns a size, the input of this size, and the least seconds of two calls with it."""
    for _ in range(SIZES):
        value = make_input(n)
        seconds = _seconds(function, value, clock)
        if seconds >= MEASURABLE_SECONDS:
            seconds = min(seconds, _seconds(function, value, clock))
        if seconds >= MEASURABLE_SECONDS:
            return n, value, seconds
        n *= 2
    value = make_input(n)
    return n, value, _seconds(function, value, clock)


def _seconds(function: Callable[[Any], object], value: Any, clock: Callable[[], float]) -> float:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        start = clock()
        function(value)
        return clock() - start
    finally:
        if was_enabled:
            gc.enable()
