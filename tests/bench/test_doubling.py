"""The helper that shows linear time can tell linear from quadratic, also on a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from itertools import chain, cycle, repeat

import pytest

from newscrawl.bench.scores import score, shingles

QUADRATIC = pytest.raises(pytest.fail.Exception, match="whenever the input doubled")


def test_a_linear_function_passes(doubling: Callable[..., None]) -> None:
    doubling(lambda text: score(shingles(text), shingles(text)), lambda n: "ab cd ef " * n, 1000)


def test_a_quadratic_function_fails(doubling: Callable[..., None]) -> None:
    def fast() -> float:
        """A clock that shows 32 seconds for one, so that a thirtieth of the work is enough to measure."""
        return 32 * time.thread_time()

    def fails() -> bool:
        try:
            doubling(
                lambda numbers: [i for i in numbers if -i in numbers], lambda n: list(range(1, n)), 100, clock=fast
            )
        except pytest.fail.Exception:
            return True
        return False

    # A burst of other work that slows the smaller input alone may hide it once (`Machine` below has no such bursts).
    assert any(fails() for _ in range(3))


class Machine:
    """A clock that goes on when `work` is done, by so much as `noise` makes of each call's cost."""

    def __init__(self, power: int, noise: Iterable[float]) -> None:
        self.now, self.power, self.noise = 0.0, power, iter(noise)

    def work(self, n: int) -> None:
        self.now += self.cost(n) * next(self.noise)

    def cost(self, n: int) -> float:
        return (n / 1000) ** self.power

    def check(self, doubling: Callable[..., None]) -> None:
        doubling(self.work, lambda n: n, 1000, clock=lambda: self.now, pause=lambda seconds: None)


class SteppedMachine(Machine):
    """One on which work costs six times as much from some size on, as memory does that is mapped anew each time."""

    def cost(self, n: int) -> float:
        return super().cost(n) * (6 if n >= 2000 else 1)


BURST = [*repeat(1.0, 3), *chain.from_iterable(repeat([1.0, 2.0], 20))]
"""Two calls look for a size, and the first round has two at n; each call at 2n is disturbed for twenty rounds, and no
call at n."""


def test_a_linear_function_passes_after_a_burst_of_noise(doubling: Callable[..., None]) -> None:
    Machine(1, chain(BURST, repeat(1.0))).check(doubling)


def test_a_linear_function_passes_over_a_step(doubling: Callable[..., None]) -> None:
    SteppedMachine(1, repeat(1.0)).check(doubling)


def test_a_quadratic_function_fails_beyond_a_step(doubling: Callable[..., None]) -> None:
    with QUADRATIC:
        SteppedMachine(2, repeat(1.0)).check(doubling)


@pytest.mark.parametrize("noise", [repeat(1.0), cycle([1.9, 1.0, 1.0]), cycle([1.0, 1.0, 2.5, 1.3])])
def test_a_quadratic_function_fails_whatever_the_noise(doubling: Callable[..., None], noise: Iterable[float]) -> None:
    with QUADRATIC:
        Machine(2, noise).check(doubling)


class Evenly(Machine):
    """A machine for `grows_evenly`: `seconds` is what a call costs at 1,000."""

    def __init__(self, power: float, seconds: float, noise: Iterable[float] = repeat(1.0)) -> None:
        super().__init__(1, noise)
        self.even, self.seconds, self.calls = power, seconds, 0

    def cost(self, n: int) -> float:
        self.calls += 1
        return float(self.seconds * (n / 1000) ** self.even)

    def check(self, grows_evenly: Callable[..., None]) -> None:
        grows_evenly(self.work, lambda n: n, 1000, clock=lambda: self.now, pause=lambda seconds: None)


def test_what_is_harmless_is_measured_once(grows_evenly: Callable[..., None]) -> None:
    machine = Evenly(2, seconds=0.002)
    machine.check(grows_evenly)
    assert machine.calls == 1


def test_what_grows_evenly_is_measured_once_at_each_size(grows_evenly: Callable[..., None]) -> None:
    machine = Evenly(1, seconds=0.5)
    machine.check(grows_evenly)
    assert machine.calls == 2


def test_what_is_prepared_once_is_no_growth(grows_evenly: Callable[..., None]) -> None:
    machine = Evenly(1, seconds=0.5, noise=chain([9.0], repeat(1.0)))
    machine.check(grows_evenly)
    assert machine.calls == 4


@pytest.mark.parametrize("noise", [repeat(1.0), cycle([1.9, 1.0, 1.0]), cycle([1.0, 1.0, 2.5, 1.3])])
def test_what_grows_with_the_square_fails(grows_evenly: Callable[..., None], noise: Iterable[float]) -> None:
    with QUADRATIC:
        Evenly(2, seconds=0.5, noise=noise).check(grows_evenly)
