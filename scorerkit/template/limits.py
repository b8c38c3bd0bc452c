"""Bounds on what a template or an expression may cost: loop turns, calls, time, sizes.

Scorer files may come from elsewhere. These bounds hold inside the process; what they cannot interrupt is one call of a
built-in function, so every operation that can grow a value checks the size first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextvars import ContextVar
from itertools import islice
from typing import Any

from scorerkit.errors import RecordError

MAX_TURNS = 1_000_000
MAX_SECONDS = 10.0
MAX_OUTPUT = 16 * 2**20
MAX_GROWTH = 2**20
MAX_POWER_BITS = 4096
MAX_PRODUCT_BITS = 65_536
CHECK_EVERY = 32


class TemplateLimit(RecordError):  # noqa: N818 - named after its code
    """A bound was passed; fails the record with ``template-limit``."""

    def __init__(self, message: str) -> None:
        super().__init__("template-limit", message, why="templates and expressions are bounded")


class Budget:
    """What one rendering has left. CPU time of this thread is what counts, so a busy machine changes nothing."""

    __slots__ = ("check_at", "deadline", "turns")

    def __init__(self) -> None:
        self.turns = MAX_TURNS
        self.check_at = MAX_TURNS - CHECK_EVERY
        self.deadline = 0.0

    def spend(self, turns: int) -> None:
        """Take ``turns`` off; raises :class:`TemplateLimit` when nothing is left or time is up."""
        self.turns -= turns
        if self.turns > self.check_at:
            return
        if self.turns < 0:
            message = f"more than {MAX_TURNS:,} loop turns and calls"
            raise TemplateLimit(message)
        self.check_at = self.turns - CHECK_EVERY
        now = time.thread_time()
        self.deadline = self.deadline or now + MAX_SECONDS
        if now > self.deadline:
            message = f"more than {MAX_SECONDS:g} s of computing"
            raise TemplateLimit(message)


BUDGET: ContextVar[Budget | None] = ContextVar("scorerkit_template_budget", default=None)


def spend(turns: int = 1) -> None:
    """Charge the rendering that is going on, if any."""
    if budget := BUDGET.get():
        budget.spend(turns)


class _Turns:
    """An iterable of known length, as ``loop.length`` wants it, whose items are charged when they are taken."""

    __slots__ = ("items",)

    def __init__(self, items: Collection[object]) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[object]:
        return turns(self.items)


def counted(iterable: Iterable[object]) -> Iterable[object]:
    """Charge a loop turn by turn, so that the time is looked at whatever its body does."""
    return _Turns(iterable) if isinstance(iterable, Collection) else turns(iterable)


def turns(iterable: Iterable[object]) -> Iterator[object]:
    """The items, each charged when it is taken."""
    for item in iterable:
        spend()
        yield item


def drained(iterable: Iterable[object]) -> list[object]:
    """A list of at most :data:`MAX_TURNS` items."""
    items = list(islice(iterable, MAX_TURNS + 1))
    spend(len(items))
    return items


def bounded_range(*bounds: int) -> range:
    """``range`` of at most :data:`MAX_TURNS` numbers."""
    found = range(*bounds)
    try:
        size = len(found)
    except OverflowError:
        size = MAX_TURNS + 1
    if size > MAX_TURNS:
        message = f"a range of more than {MAX_TURNS:,} numbers"
        raise TemplateLimit(message)
    return found


def charge(value: object) -> None:
    """Charge a hand-made value for its items and its text; parts that it shares with itself count each time.

    Raises:
        TemplateLimit: it has too many items, or more than :data:`MAX_OUTPUT` characters.
    """
    if _charged(value, 0) > MAX_OUTPUT:
        message = f"a value with more than {MAX_OUTPUT:,} characters"
        raise TemplateLimit(message)


def _charged(value: object, size: int) -> int:
    """``size`` and the characters of ``value``; not much further than the limit."""
    if isinstance(value, str):
        return size + len(value)
    if isinstance(value, (dict, list, tuple)) and size <= MAX_OUTPUT:
        spend(len(value))
        for item in value.values() if isinstance(value, dict) else value:
            size = _charged(item, size)
    return size


def built(value: object) -> object:
    """A list or mapping that code has put together, charged for all that it holds.

    Whatever takes the value apart later (a comparison, a search, a function) is one call that nothing can interrupt;
    a few lines of lists of lists would give it 10,000,000,000 items.
    """
    if isinstance(value, dict) or (isinstance(value, (list, tuple)) and any(map(_holds, value))):
        charge(value)
    return value


def _holds(value: object) -> bool:
    return isinstance(value, (dict, list, tuple))


def check_growth(size: int, what: str) -> None:
    """Refuse to build text or a list of more than :data:`MAX_GROWTH` characters or items."""
    if size > MAX_GROWTH:
        message = f"{what} would make {size:,} characters or items; {MAX_GROWTH:,} are allowed"
        raise TemplateLimit(message)


def concat(parts: Iterable[str]) -> str:
    """Join rendered parts, up to :data:`MAX_OUTPUT` characters."""
    joined: list[str] = []
    size = 0
    for part in parts:
        size += len(part)
        if size > MAX_OUTPUT:
            message = f"more than {MAX_OUTPUT:,} characters of output"
            raise TemplateLimit(message)
        joined.append(part)
    return "".join(joined)


def multiply(left: object, right: object) -> object:
    """``*`` with bounds on repetition and on the size of whole numbers."""
    sequence: Any
    for sequence, times in ((left, right), (right, left)):
        if isinstance(sequence, (str, list, tuple)) and isinstance(times, int):
            check_growth(len(sequence) * max(times, 0), "repeating")
            return built(sequence * times)
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() > MAX_PRODUCT_BITS:
        message = "the product of two whole numbers is too large"
        raise TemplateLimit(message)
    return left * right  # type: ignore[operator]


def power(left: object, right: object) -> object:
    """``**`` with a bound on the size of whole numbers."""
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * max(right, 0) > MAX_POWER_BITS:
        message = "the power of two whole numbers is too large"
        raise TemplateLimit(message)
    return left**right  # type: ignore[operator]


def remainder(left: object, right: object) -> object:
    """``%`` on numbers; formatting text with it is refused, as a width can be any size."""
    if isinstance(left, str):
        message = "'%' formats text, which is not allowed here"
        raise TypeError(message)
    return left % right  # type: ignore[operator]


def add(left: object, right: object) -> object:
    """``+`` with a bound on joined text and lists."""
    if isinstance(left, (str, list, tuple)) and isinstance(right, (str, list, tuple)):
        check_growth_beyond(len(left), len(right))
        return built(left + right)  # type: ignore[operator]
    return left + right  # type: ignore[operator]


def check_growth_beyond(left: int, right: int) -> None:
    """Joining data is fine up to the size of an output; doubling again and again is not."""
    if left + right > MAX_OUTPUT:
        message = f"joining would make {left + right:,} characters or items; {MAX_OUTPUT:,} are allowed"
        raise TemplateLimit(message)


BINARY: dict[str, Callable[[object, object], object]] = {"*": multiply, "**": power, "%": remainder, "+": add}
"""Operators that the sandbox intercepts."""
