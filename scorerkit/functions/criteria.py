"""Criteria of a rubric, however they are written down."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorerkit.functions.arguments import shown
from scorerkit.functions.shares import matched

if TYPE_CHECKING:
    from scorerkit.model.json import Json

_MARK = re.compile(r"^\s*(?:[-*+•]|\d+[.)])?\s*(?:\[[ xX]?\]\s*)?")


def checklist(value: Json) -> list[dict[str, Json]]:
    """Criteria as ``[{description, required}]``: of a list of texts or mappings, or of text with one criterion a line.

    The marks of a list (``-``, ``*``, ``1.``, ``[ ]``) and empty lines are left out; ``required`` is true unless a
    mapping says otherwise. Null has none.

    Raises:
        ValueError: something is neither of these, or two criteria are the same.
    """
    if value is None:
        return []
    items = [_MARK.sub("", line).strip() for line in value.splitlines()] if isinstance(value, str) else value
    if not isinstance(items, list):
        message = f"checklist needs a list or text, not {shown(value)}"
        raise ValueError(message)  # noqa: TRY004 - authors meet one kind of error
    criteria = [_criterion(item) for item in items if item]
    texts = [criterion["description"] for criterion in criteria]
    twice = next((text for text in texts if texts.count(text) > 1), None)
    if twice is not None:
        message = f"checklist: the criterion {shown(twice)} is given twice"
        raise ValueError(message)
    return criteria


def _criterion(item: Json) -> dict[str, Json]:
    given = {"description": item} if isinstance(item, str) else item
    text = given.get("description") if isinstance(given, dict) else None
    if not isinstance(text, str) or not text.strip():
        message = f"checklist: a criterion is a text or a mapping with 'description', not {shown(item)}"
        raise ValueError(message)
    return {"description": text.strip(), "required": given.get("required") is not False}


def criteria_met(verdicts: list[Json], criteria: list[dict[str, Json]]) -> bool:
    """Whether all required criteria are ``satisfied``, or all where none is required; each must come back once.

    Verdicts are matched by ``criterion``, the text of a ``checklist`` entry; what they say of ``required`` is not
    looked at.

    Raises:
        ValueError: a criterion has no verdict or several, or a verdict is about something else.
    """
    found = matched(verdicts, "criterion", [criterion["description"] for criterion in criteria])
    required = [bool(criterion["required"]) for criterion in criteria]
    return all(
        verdict.get("satisfied") is True
        for verdict, needed in zip(found, required, strict=True)
        if needed or not any(required)
    )
