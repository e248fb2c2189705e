"""Arguments, checked before they reach compiled code, so that a wrong one is told by its name."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

# No count of anything is larger.
MAX = 2**63 - 1


def integer(value: Any, name: str, low: int = 1, high: int = MAX) -> int:
    """A whole number within bounds; NumPy's are taken, truth values and fractions are not."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}") from None
    if number < low:
        raise ValueError(f"{name} is {number}; give at least {low}")
    if number > high:
        raise ValueError(f"{name} is {number}; give at most {high}")
    return number


def count(value: Any, name: str, high: int = MAX) -> int | None:
    """A whole number of at least 1, or None."""
    return None if value is None else integer(value, name, 1, high)


def text(value: Any, name: str) -> str:
    """A text that can be written as UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} is {value!r}, which is no text: it has half of a character") from None
    return value


def several(value: Any, name: str) -> list[Any]:
    """The members of a list, an array or anything else that is gone through; a text is one thing, not many."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{name} is {type(value).__name__}; give a list")
    return list(value)
