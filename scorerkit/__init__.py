"""Scorers for language models and agents as files: loaded, checked and run from Python.

Importing this package loads no provider's library, no pydantic and no database library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scorerkit.errors import DataError, InvalidScorer, MissingKey, NotScorable, ScorerkitError
    from scorerkit.judge.processors import Refuse, Retry
    from scorerkit.model.judge import Judge
    from scorerkit.model.problem import Problem
    from scorerkit.model.result import ScorerResult, ScorerRunError
    from scorerkit.model.run import ScorerRun
    from scorerkit.scorer import Scorer, ScorerBuilder, create_scorer, load_scorer
    from scorerkit.scoring import Report, score, score_sync

__version__ = "0.1.0"

_HOME = {
    "DataError": "scorerkit.errors",
    "InvalidScorer": "scorerkit.errors",
    "Judge": "scorerkit.model.judge",
    "MissingKey": "scorerkit.errors",
    "NotScorable": "scorerkit.errors",
    "Problem": "scorerkit.model.problem",
    "Refuse": "scorerkit.judge.processors",
    "Report": "scorerkit.scoring",
    "Retry": "scorerkit.judge.processors",
    "Scorer": "scorerkit.scorer",
    "ScorerBuilder": "scorerkit.scorer",
    "ScorerResult": "scorerkit.model.result",
    "ScorerRun": "scorerkit.model.run",
    "ScorerRunError": "scorerkit.model.result",
    "ScorerkitError": "scorerkit.errors",
    "create_scorer": "scorerkit.scorer",
    "load_scorer": "scorerkit.scorer",
    "score": "scorerkit.scoring",
    "score_sync": "scorerkit.scoring",
}
"""Where each public name lives; it is imported when it is first used."""

__all__ = [
    "DataError",
    "InvalidScorer",
    "Judge",
    "MissingKey",
    "NotScorable",
    "Problem",
    "Refuse",
    "Report",
    "Retry",
    "Scorer",
    "ScorerBuilder",
    "ScorerResult",
    "ScorerRun",
    "ScorerRunError",
    "ScorerkitError",
    "create_scorer",
    "load_scorer",
    "score",
    "score_sync",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        found = getattr(importlib.import_module(_HOME[name]), name)
        globals()[name] = found
        return found
    message = f"module 'scorerkit' has no '{name}'"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
