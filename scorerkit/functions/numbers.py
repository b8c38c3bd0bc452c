"""Arithmetic on step results. Whatever has no answer (nothing given, text, NaN) is a ValueError, never a number."""

from __future__ import annotations

import builtins
import math
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from scorerkit.functions.arguments import as_filled_list, as_list, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorerkit.model.json import Json

Number: TypeAlias = int | float

_MOST_DIGITS = 15
_EXACT = 2.0**52
_EPSILON = 2.0**-52


def min(*values: Json, attribute: str | int | None = None) -> Json:  # noqa: A001 - the name files use
    """The smallest of one list or of several numbers; with ``attribute`` the item whose attribute is smallest.

    Raises:
        ValueError: nothing was given, or something that is not a number.
    """
    return builtins.min(_pairs("min", values, attribute), key=itemgetter(0))[1]


def max(*values: Json, attribute: str | int | None = None) -> Json:  # noqa: A001
    """The largest of one list or of several numbers; with ``attribute`` the item whose attribute is largest.

    Raises:
        ValueError: nothing was given, or something that is not a number.
    """
    return builtins.max(_pairs("max", values, attribute), key=itemgetter(0))[1]


def sum(values: Iterable[Json], attribute: str | int | None = None, start: Number = 0) -> Number:  # noqa: A001
    """The sum, without rounding in between; of whole numbers a whole number. Nothing adds up to ``start``.

    Raises:
        ValueError: something in it is not a number, or the sum is too large.
    """
    items = as_list("sum", values)
    if attribute is not None:
        items = [_attribute("sum", index, item, attribute) for index, item in enumerate(items)]
    return _total("sum", [*_numbers("sum", items), _number("sum", start)])


def abs(value: Json) -> Number:  # noqa: A001
    """The number without its sign.

    Raises:
        ValueError: it is not a number.
    """
    number = _number("abs", value)
    return -number if number < 0 else number


def round(value: Json, precision: int = 0, method: str = "common") -> Number:  # noqa: A001
    """Rounded to ``precision`` digits; halves go up, towards positive infinity, as in JavaScript.

    With digits, the smallest step of a double is added first, so that 1.015 gives 1.02 although it is stored a
    little lower. ``method`` is ``common``, ``ceil`` or ``floor``.

    Raises:
        ValueError: not a number, an unknown method, or more than 15 digits.
    """
    number = _number("round", value)
    if method not in {"common", "ceil", "floor"}:
        message = f"round knows the methods 'common', 'ceil' and 'floor', not {shown(method)}"
        raise ValueError(message)
    if isinstance(precision, bool) or not isinstance(precision, int) or not -_MOST_DIGITS <= precision <= _MOST_DIGITS:
        message = f"round keeps -{_MOST_DIGITS} to {_MOST_DIGITS} digits, not {shown(precision)}"
        raise ValueError(message)
    if isinstance(number, int) and precision >= 0:
        return number
    return _rounded(number, precision, method)


def mean(values: Iterable[Json]) -> float:
    """The arithmetic mean, from an exact sum.

    Raises:
        ValueError: nothing was given, or something that is not a number.
    """
    numbers = _numbers("mean", as_filled_list("mean", values))
    return _divided("mean", _total("mean", numbers), len(numbers))


def median(values: Iterable[Json]) -> Number:
    """The middle number; of an even count the mean of the two in the middle.

    Raises:
        ValueError: nothing was given, or something that is not a number.
    """
    numbers = sorted(_numbers("median", as_filled_list("median", values)))
    half = len(numbers) // 2
    if len(numbers) % 2:
        return numbers[half]
    return _divided("median", _total("median", numbers[half - 1 : half + 1]), 2)


def clamp(value: Json, low: Json, high: Json) -> Number:
    """The number, or the bound that it lies beyond.

    Raises:
        ValueError: one of the three is not a number, or ``low`` is above ``high``.
    """
    number, least, most = _number("clamp", value), _number("clamp", low), _number("clamp", high)
    if least > most:
        message = f"clamp needs its lower bound first: {least} is above {most}"
        raise ValueError(message)
    return builtins.min(builtins.max(number, least), most)


def _pairs(name: str, values: tuple[Json, ...], attribute: str | int | None) -> list[tuple[Number, Json]]:
    """(what is compared, what is given back) of each item."""
    items = as_filled_list(name, values[0] if len(values) == 1 else values)
    if attribute is None:
        return [(number, number) for number in _numbers(name, items)]
    keys = _numbers(name, [_attribute(name, index, item, attribute) for index, item in enumerate(items)])
    return list(zip(keys, items, strict=True))


def _numbers(name: str, items: Iterable[Json]) -> list[Number]:
    return [
        item if type(item) is int or (type(item) is float and math.isfinite(item)) else _number(name, item, index)
        for index, item in enumerate(items)
    ]


def _number(name: str, value: Json, index: int | None = None) -> Number:
    """A finite number as it is, true and false as 1 and 0."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    where = "" if index is None else f" at index {index}"
    message = f"{name} needs numbers, not {shown(value)}{where}"
    raise ValueError(message)


def _attribute(name: str, index: int, item: Json, attribute: str | int) -> Json:
    """A dotted path into one item, as Jinja's filters of the same names take it."""
    value = item
    for part in str(attribute).split("."):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, (list, tuple)) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            message = f"{name}: the item at index {index} has no '{attribute}'"
            raise ValueError(message)
    return value


def _total(name: str, numbers: list[Number]) -> Number:
    whole = 0
    for number in numbers:
        if type(number) is not int:
            break
        whole += number
    else:
        return whole
    try:
        return math.fsum(numbers)
    except OverflowError:
        message = f"{name}: the sum is too large for a number"
        raise ValueError(message) from None


def _divided(name: str, total: Number, count: int) -> float:
    try:
        return total / count
    except OverflowError:
        message = f"{name}: the sum is too large for a number"
        raise ValueError(message) from None


def _rounded(number: Number, precision: int, method: str) -> Number:
    factor: int = 10 ** builtins.abs(precision)
    if isinstance(number, int):
        return _tens(number, factor, method)
    if precision < 0:
        return _whole(number / factor, method) * factor
    if number >= _EXACT or number <= -_EXACT:  # no room for a fraction
        return number if precision else int(number)
    if precision == 0:
        return _whole(number, method)
    return _whole((number + _EPSILON if method == "common" else number) * factor, method) / factor


def _tens(number: int, factor: int, method: str) -> int:
    """A whole number to a whole multiple of ``factor``, without floats."""
    up = {"common": factor // 2, "ceil": factor - 1, "floor": 0}[method]
    return (number + up) // factor * factor


def _whole(number: Number, method: str) -> int:
    if method == "ceil":
        return math.ceil(number)
    below = math.floor(number)
    return below + 1 if method == "common" and number - below >= 0.5 else below
