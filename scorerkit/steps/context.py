"""What a step sees of its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from scorerkit.conversion import copy_json
from scorerkit.model.run import RUN_KEYS
from scorerkit.model.stage import RESULT_KEY

if TYPE_CHECKING:
    from scorerkit.model.json import Json
    from scorerkit.model.judge import Judge
    from scorerkit.model.result import ScorerResult
    from scorerkit.model.run import ScorerRun


class Context:
    """One record on its way through the steps. ``names`` are those of templates and expressions."""

    __slots__ = ("judge", "names", "result", "run")

    def __init__(self, run: ScorerRun, params: dict[str, Json], judge: Judge | None, result: ScorerResult) -> None:
        self.run = run
        self.judge = judge
        self.result = result
        self.names: dict[str, Any] = {"run": run.to_json(), "params": params, "results": {}}


_MUTABLE = (dict, list)
_SNAKE_RESULT = {
    "preprocess_step_result": RESULT_KEY["preprocess"],
    "analyze_step_result": RESULT_KEY["analyze"],
    "generate_score_step_result": RESULT_KEY["generateScore"],
}


class View:
    """A frozen view for Python functions: attributes in snake_case, plain JSON data below.

    Lists and mappings are copied when they are first read, so that no function changes what others see.
    """

    __slots__ = ("_copies", "_values")
    _keys: ClassVar[dict[str, str]] = {}
    _what = "a value"

    def __init__(self, values: dict[str, Json]) -> None:
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_copies", {})

    def __getattr__(self, name: str) -> Json:
        key = self._keys.get(name)
        if key is None or key not in self._values:
            raise AttributeError(self._missing(name))
        value = self._values[key]
        if type(value) not in _MUTABLE:
            return value
        copies = self._copies
        if name not in copies:
            copies[name] = copy_json(value)
        return copies[name]

    def __setattr__(self, name: str, value: object) -> None:
        message = f"{self._what} cannot be changed"
        raise AttributeError(message)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._values!r})"

    def to_dict(self) -> dict[str, Json]:
        """A copy with the keys that files use."""
        copied: dict[str, Json] = copy_json(self._values)
        return copied

    def _missing(self, name: str) -> str:
        snake = {key: attribute for attribute, key in self._keys.items()}.get(name)
        hint = f"; in Python it is '{snake}'" if snake else ""
        return f"{self._what} has no '{name}'{hint}"


class RunView(View):
    """``run`` as functions see it."""

    __slots__ = ()
    _keys: ClassVar[dict[str, str]] = {field: key for key, field in RUN_KEYS.items()}
    _what = "a run"


class ResultsView(View):
    """``results`` as functions see it."""

    __slots__ = ()
    _keys: ClassVar[dict[str, str]] = _SNAKE_RESULT
    _what = "results"
