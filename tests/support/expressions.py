"""Finds every compiled expression of the package, and strings for which a backtracking matcher needs much time."""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import re
import time
import types
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

import newscrawl

_DEPTH: Final = 4
"""Containers inside one another that are searched for expressions."""

_PLAIN: Final = (str, bytes, int, float, types.ModuleType)
"""What holds no expressions."""

_MANY: Final = 30
"""A repetition that ends before so many times is no loop."""

_ANCHORED: Final = frozenset({"match", "fullmatch"})
_INLINE: Final = frozenset({"search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn"})


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression and its place: module:name, or module:text for one inside a function."""

    place: str
    pattern: re.Pattern[Any]
    asked: frozenset[str] = frozenset()
    """"match" or "fullmatch" or both, where nothing else is asked of it."""


@functools.cache
def package_expressions() -> Mapping[str, Expression]:
    """All expressions reachable from the modules, and those that are written inside functions, by their places."""
    found: dict[tuple[Any, int], Expression] = {}
    for module in package_modules():
        places = [(place, pattern, place.partition(":")[2].partition("[")[0]) for place, pattern in _reachable(module)]
        places += [(place, pattern, "") for place, pattern in _inline(module)]
        if not places:
            continue
        matched, own = _only_matched(module), _own_names(module)
        for place, pattern, name in places:
            key = pattern.pattern, pattern.flags
            known = found.get(key)
            asked = matched.get(name, frozenset())
            if known is not None:
                asked = asked | known.asked if asked and known.asked else frozenset()
                place = place if name in own and "[" not in place else known.place
            found[key] = Expression(place.removeprefix("newscrawl."), pattern, asked)
    return {expression.place: expression for expression in found.values()}


def _own_names(module: types.ModuleType) -> frozenset[str]:
    """Names that the module itself gives a value."""
    targets = [target for node in _tree(module).body if isinstance(node, ast.Assign) for target in node.targets]
    targets += [node.target for node in _tree(module).body if isinstance(node, ast.AnnAssign)]
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def package_modules() -> Iterator[types.ModuleType]:
    for info in pkgutil.walk_packages(newscrawl.__path__, "newscrawl."):
        if info.name.endswith("__main__") or ".migrations." in info.name:
            continue
        yield importlib.import_module(info.name)


def _reachable(module: types.ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    seen: set[int] = set()
    for name, value in vars(module).items():
        yield from _within(value, f"{module.__name__}:{name}", module.__name__, seen, _DEPTH)


def _within(value: Any, place: str, module: str, seen: set[int], depth: int) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield place, value
        return
    if depth == 0 or id(value) in seen or isinstance(value, _PLAIN):
        return
    inner: Iterator[Any] = iter(())
    if isinstance(value, Mapping):
        inner = iter([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        inner = iter(value)
    elif isinstance(value, functools.partial):
        inner = iter([value.func, *value.args, *value.keywords.values()])
    elif isinstance(value, types.BuiltinMethodType | types.MethodType):
        inner = iter([value.__self__])
    elif isinstance(value, types.FunctionType) and value.__module__ == module:
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        inner = iter([*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *cells])
    elif isinstance(value, type) and value.__module__ == module:
        inner = iter(vars(value).values())
    elif not isinstance(value, type) and type(value).__module__.startswith("newscrawl."):
        slots = (getattr(value, name, None) for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ()))
        inner = iter([*getattr(value, "__dict__", {}).values(), *slots])
    else:
        return
    seen.add(id(value))
    for number, member in enumerate(inner):
        if isinstance(member, _PLAIN):  # lists of words have thousands
            continue
        yield from _within(
            member, f"{place}[{number}]" if isinstance(value, list | tuple) else place, module, seen, depth - 1
        )


def _inline(module: types.ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    for node in ast.walk(_tree(module)) if "re" in vars(module) else ():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _INLINE
            and isinstance(node.args[0], ast.Constant)
        ):
            yield f"{module.__name__}:{node.args[0].value}", re.compile(node.args[0].value)


@functools.cache
def _tree(module: types.ModuleType) -> ast.Module:
    file = module.__file__ or ""
    return ast.parse(Path(file).read_text() if file.endswith(".py") else "")


def _only_matched(module: types.ModuleType) -> dict[str, frozenset[str]]:
    """Returns private names of expressions that the module uses only with `match` at the beginning of the text."""
    every: Counter[str] = Counter()
    matched: Counter[str] = Counter()
    asked: dict[str, set[str]] = {}
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            every[node.id] += 1
        if isinstance(node, ast.Attribute) and node.attr in _ANCHORED and isinstance(node.value, ast.Name):
            matched[node.value.id] += 1
            asked.setdefault(node.value.id, set()).add(node.attr)
    return {name: frozenset(asked[name]) for name, times in matched.items() if name[0] == "_" and times == every[name]}


# -- strings


_SUFFIXES: Final = ("\x01", "x")
"""What spoils a match: a sign that hardly any expression names, and a letter."""


def hard_strings(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Prefix, piece and suffix: prefix, then the piece again and again, then a suffix that spoils the match."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    seen: set[tuple[str, str]] = set()
    for prefix, piece in _loops(list(tree), ""):
        if piece and (prefix, piece) not in seen:
            seen.add((prefix, piece))
            for suffix in _SUFFIXES:
                yield prefix, piece, suffix


def _loops(items: list[Any], prefix: str) -> Iterator[tuple[str, str]]:
    """What can be repeated at each place: the body of every loop, and every beginning of the expression, which a search
    tries again at each place."""
    begun = ""
    for number, (op, argument) in enumerate(items):
        samples = _samples(op, argument)
        if op in _REPEATS:
            _, most, body = argument
            alike = [_alike(list(body), character) for character in _COMMON]
            for sample in [*alike, *_sequence_samples(list(body))]:
                if most > _MANY:
                    yield prefix, sample
                    yield "", sample
                    if number:
                        yield "", begun + sample
            yield from _loops(list(body), prefix)
        elif op is sre.SUBPATTERN:
            yield from _loops(list(argument[3]), prefix)
        elif op is sre.BRANCH:
            for branch in sorted(argument[1], key=_is_plain)[:_BRANCHES]:
                yield from _loops(list(branch), prefix)
        elif op is sre.ATOMIC_GROUP:
            yield from _loops(list(argument), prefix)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _loops(list(argument[1]), prefix)
            continue
        for sample in samples[:8]:
            yield "", begun + sample
            yield begun, sample
        begun += samples[0] if samples else ""
        prefix += samples[0] if samples else ""


def _is_plain(items: Any) -> bool:
    """Whether the sequence holds nothing but letters: such branches of a list are all alike."""
    return all(op is sre.LITERAL for op, _ in items)


_BRANCHES: Final = 8
_REPEATS: Final = frozenset({sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT})
_CANDIDATES: Final = " a1A-,.:;/|<>\"'&_()[]{}=%@#?!\t\n年ä–é\u3000"


_COMMON: Final = " .a1-"


def _alike(items: list[Any], character: str) -> str:
    """A text that the sequence matches, of this character where it may be: loops that share one multiply."""
    text = ""
    for op, argument in items:
        if op in _REPEATS:
            text += _alike(list(argument[2]), character) * max(1, min(argument[0], 40))
        elif op is sre.SUBPATTERN:
            text += _alike(list(argument[3]), character)
        elif samples := _samples(op, argument):
            fits = op is sre.IN and re.match(_class_source(argument), character)
            text += character if fits else samples[0]
    return text


def _sequence_samples(items: list[Any]) -> list[str]:
    """Texts that the sequence matches: one of each item's first, and one for each other text of an item."""
    each = [_samples(op, argument) or [""] for op, argument in items if op not in (sre.AT, sre.ASSERT, sre.ASSERT_NOT)]
    first = [samples[0] for samples in each]
    found = ["".join(first)]
    for number, samples in enumerate(each):
        found += ["".join([*first[:number], sample, *first[number + 1 :]]) for sample in samples[1:]]
    return found[:24]


def _samples(op: Any, argument: Any) -> list[str]:
    if op is sre.LITERAL:
        return [chr(argument)]
    if op is sre.NOT_LITERAL:
        return [c for c in _CANDIDATES if ord(c) != argument][:2]
    if op is sre.ANY:
        return ["a", " "]
    if op is sre.IN:
        return _class_samples(argument)
    if op is sre.BRANCH:
        return [sample for branch in argument[1] for sample in _sequence_samples(list(branch))[:2]][:24]
    if op is sre.SUBPATTERN:
        return _sequence_samples(list(argument[3]))
    if op is sre.ATOMIC_GROUP:
        return _sequence_samples(list(argument))
    if op in _REPEATS:
        least, _, body = argument
        inner = _sequence_samples(list(body))
        count = max(1, min(least, 40))
        return [sample * count for sample in inner]
    return []


def _class_samples(members: list[Any]) -> list[str]:
    test = re.compile(_class_source(members))
    fitting = [c for c in _CANDIDATES if test.match(c)]
    for kind, value in members:
        if kind is sre.LITERAL:
            fitting.append(chr(value))
        elif kind is sre.RANGE:
            fitting.append(chr(value[0]))
    return list(dict.fromkeys(c for c in fitting if test.match(c)))[:4]


_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s", sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _class_source(members: list[Any]) -> str:
    parts = []
    for kind, value in members:
        if kind is sre.NEGATE:
            parts.insert(0, "^")
        elif kind is sre.LITERAL:
            parts.append(re.escape(chr(value)))
        elif kind is sre.RANGE:
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        elif kind is sre.CATEGORY:
            parts.append(_CATEGORIES[value])
    return f"[{''.join(parts)}]"


# -- time

LARGEST: Final = 4_000
"""Characters from which on nothing is learnt: a quadratic expression takes some twenty milliseconds there."""

REFERENCE: Final = re.compile("x*y"), "x" * LARGEST
"""The matcher's quickest quadratic loop. A machine that is slowed down by others takes longer for this, too."""

FLOOR_SHARE: Final = 0.4
"""Of the reference's time. Less on the longest string that an expression can meet is no harm, and is hard to tell from
noise. The reference takes 9 ms on a machine that does nothing else, and 40 ms on a busy one."""

FLOOR_SECONDS: Final = 0.003
"""Less is below FLOOR_SHARE of the reference on each machine that the tests ran on: the reference is not measured."""

MAX_STRINGS: Final = 150
"""Strings tried with one expression: long lists of words give thousands that are alike."""

MIN_LENGTH: Final = 500
"""Shorter texts do not show how the time grows: a loop may begin after a repetition with a minimum."""

ENOUGH_SECONDS: Final = 0.02
MOMENT_SECONDS: Final = 0.00002
"""After so short a time twice the length is tried next. An expression whose time is c * b ** length takes the square of
this by c there: 0.04 s, where c is the 10 ns of a step of the matcher."""
FACTOR: Final = 2.5
"""Growth of the time with twice the length: 2 of a linear expression, 4 of a quadratic one."""

LINEAR_FACTOR: Final = 2.1
"""Less growth than this up to half of the longest text shows a linear expression; the rest is not measured. Of one that
grows by FACTOR up to the longest text, a linear part beside a quadratic one grows by 2.29 there, beside a cubic one by
2.13."""

CERTAIN_FACTOR: Final = 6.0
"""More than a quadratic expression shows, and more than noise: four times the length is not tried with these."""

LONG_FACTOR: Final = 8.0
"""Growth of the time with four times the length: 4 of a linear expression, 16 of a quadratic one."""

ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class Slow:
    """An input for which an expression needs more than its share of time."""

    text: tuple[str, str, str]
    length: int
    seconds: float
    factor: float


def find_slow(expression: Expression, largest: int = LARGEST) -> Slow | None:
    """A string of at most `largest` characters that makes the time grow too much, None if there is none.

    What is found is measured once more with four times the length: on a virtual machine series of a few milliseconds
    are disturbed, and more characters than these tell a linear expression from a quadratic one.
    """
    for text in islice(hard_strings(expression.pattern), MAX_STRINGS):
        found = _growth(expression, text, largest)
        if found and (found.factor > CERTAIN_FACTOR or _grows_on(expression, found)):
            return found
    return None


def _growth(expression: Expression, text: tuple[str, str, str], largest: int) -> Slow | None:
    length, seconds = 8, 0.0
    # From below: an exponential one would never end at the top.
    while length < largest and seconds < ENOUGH_SECONDS and not _is_harmless(seconds, length, largest):
        is_cautious = seconds > MOMENT_SECONDS and length < 200
        length = min(length + max(2, length // 6) if is_cautious else 2 * length, largest)
        seconds = _seconds(expression, _repeated(text, length))
        if max(largest // 2, 2 * MIN_LENGTH) <= length < largest and seconds >= FLOOR_SECONDS / 8:
            half = _repeated(text, length // 2)
            if seconds < LINEAR_FACTOR * min(_seconds(expression, half) for _ in range(2)):
                return None
    if seconds < FLOOR_SECONDS:
        return None
    half, whole = (_repeated(text, size) for size in (length // 2, length))
    small = large = reference = float("inf")
    for number in range(ROUNDS):
        small, large = min(small, _seconds(expression, half)), min(large, _seconds(expression, whole))
        if number == 0:  # one disturbed half is no verdict
            continue
        if large < FACTOR * small:
            return None
        reference = min(reference, _reference_seconds())  # which takes longer than most expressions do
        if large < FLOOR_SHARE * reference:
            return None
    return Slow(text, length, large, large / small)


def _is_harmless(seconds: float, length: int, largest: int) -> bool:
    """Whether the longest text takes less than FLOOR_SECONDS, even if the time grows with the length's third power.

    What grows with a higher power has taken seconds before: a step of the matcher takes a nanosecond at least.
    """
    return length >= MIN_LENGTH and seconds * (largest / length) ** 3 < FLOOR_SECONDS


def _grows_on(expression: Expression, found: Slow) -> bool:
    length = found.length // 2 if found.seconds > ENOUGH_SECONDS else found.length
    short, long = _repeated(found.text, length), _repeated(found.text, 4 * length)
    seconds = min(_seconds(expression, short) for _ in range(2))
    return all(_seconds(expression, long) > LONG_FACTOR * seconds for _ in range(2))


def _repeated(text: tuple[str, str, str], length: int) -> str:
    prefix, piece, suffix = text
    return f"{prefix}{piece * max(1, (length - len(prefix) - len(suffix)) // len(piece))}{suffix}"


def _reference_seconds() -> float:
    pattern, text = REFERENCE
    start = time.thread_time()
    pattern.search(text)
    return time.thread_time() - start


def _seconds(expression: Expression, text: str) -> float:
    pattern = expression.pattern
    value: Any = text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text
    start = time.thread_time()
    if expression.asked:
        for method in expression.asked:
            getattr(pattern, method)(value)
        return time.thread_time() - start
    for _ in pattern.finditer(value):
        pass
    return time.thread_time() - start
