"""What instructor is given as a response model: it carries our schema out and lets every answer through.

Answers are read and checked in one place, :mod:`scorerkit.judge.format`, whichever way they were asked for; here
nothing is validated. Deriving from ``OpenAISchema`` spares instructor a new class at every call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

import instructor

if TYPE_CHECKING:
    from scorerkit.judge.format import AnswerFormat
    from scorerkit.model.json import Json


class Unchecked(instructor.OpenAISchema):  # type: ignore[misc, name-defined, unused-ignore]
    """An answer as it came; its text is taken from the completion."""

    wire: ClassVar[dict[str, Json]] = {}
    strict: ClassVar[bool] = False

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Json]:
        """A shallow copy: instructor and SDKs add keys at the top."""
        return dict(cls.wire)

    @classmethod
    def model_validate_json(cls, *_: Any, **__: Any) -> Unchecked:
        return cls.model_construct()

    @classmethod
    def model_validate(cls, *_: Any, **__: Any) -> Unchecked:
        return cls.model_construct()


def response_model(form: AnswerFormat, *, bare: bool = False) -> type[Unchecked]:
    """The class for one form of answer; made once per form, it costs a fraction of a millisecond.

    ``bare``: without the schema, which is put into the request later.
    """
    title = re.sub(r"[^A-Za-z0-9_-]", "_", form.name)[:64] or "answer"
    described = str(form.wire.get("description", ""))
    wire = {"type": "object", "properties": {}, "required": []} if bare else form.wire
    members = {"__module__": __name__, "__doc__": described, "wire": {**wire, "title": title}}
    return type(title, (Unchecked,), {**members, "strict": form.strict, "__annotations__": {}})
