"""Keys that stand in a file by mistake must not stand in a report about it too."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorerkit.model.problem import Problem

SECRET = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"(?:sk|rk|pk|gsk|xai)-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{16,}"
    r"|(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|gh[pousr]_[A-Za-z0-9]{20,}"
    r"|github_pat_[A-Za-z0-9_]{20,}"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,}"
    r"|AIza[A-Za-z0-9_-]{30,}"
    r"|Bearer\s+(?=[A-Za-z._~+/-]{0,60}\d)[A-Za-z0-9._~+/-]{20,}=*"
    r")"
)
"""Shapes of keys of OpenAI and its likes, Stripe, AWS, GitHub, Slack, Google, and of bearer tokens."""

SHOWN = 4


def masked(text: str) -> str:
    """The text with stars in place of keys; it keeps its length, so that columns stay right."""
    return SECRET.sub(lambda match: match[0][:SHOWN] + "*" * (len(match[0]) - SHOWN), text)


def hidden(problem: Problem) -> Problem:
    """The problem without keys in its words and source lines."""
    return replace(
        problem,
        message=masked(problem.message),
        why=problem.why and masked(problem.why),
        fix=problem.fix and masked(problem.fix),
        excerpt=tuple((number, masked(line)) for number, line in problem.excerpt),
    )
