"""What instructor does not say as each family of providers wants it: roles, system messages, the schema itself."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorerkit.judge.format import AnswerFormat
    from scorerkit.judge.modes import Family
    from scorerkit.model.judge import Message

BARE: frozenset[Family] = frozenset({"google", "mistral"})
"""Where instructor must not see the schema: for Google it drops what it does not know and refuses type lists and
numbers in ``enum``, for Mistral the SDK's helper closes objects in place. They get an empty one, and ours later."""


def spoken(family: Family, messages: Sequence[Message]) -> dict[str, Any]:
    """The messages as arguments of ``create``."""
    if family != "google":
        return {"messages": [{"role": role, "content": content} for role, content in messages]}
    # instructor knows Google's word for the assistant only, and refuses system messages with braces in them.
    roles = {"assistant": "model"}
    said = [{"role": roles.get(role, role), "content": text} for role, text in messages if role != "system"]
    system = "\n\n".join(text for role, text in messages if role == "system")
    return {"messages": said, **({"system": system} if system else {})}


def put_schema(form: AnswerFormat, given: Mapping[str, Any], live: Mapping[str, Any]) -> None:
    """Complete a native request that instructor has prepared and not yet sent; its objects are changed in place.

    Args:
        form: the wanted form.
        given: the arguments that instructor was called with.
        live: those that it is about to call the SDK with.
    """
    for key, complete in _COMPLETE.items():
        if live.get(key):
            complete(form, given, live[key])


def _response_format(form: AnswerFormat, _given: Mapping[str, Any], wanted: Any) -> None:
    """OpenAI and Mistral. ``strict`` is sent where the schema allows it: instructor has no way to say so."""
    told = wanted.get("json_schema")
    if not told:
        return
    if "strict" in told:  # Mistral's helper always asks for it
        told["schema"] = {**deepcopy(form.wire), "title": told["name"]}
    if form.strict or "strict" in told:
        told["strict"] = form.strict


def _google_config(form: AnswerFormat, given: Mapping[str, Any], config: Any) -> None:
    """Google takes a JSON Schema as it is; settings and everything in ``extra`` hold for native output too."""
    for tool in config.tools or ():
        for declared in tool.function_declarations or ():
            declared.parameters, declared.parameters_json_schema = None, form.wire
    for name, value in (given.get("config") or {}).items():
        setattr(config, name, value)
    if not config.system_instruction:
        config.system_instruction = None


_COMPLETE: dict[str, Callable[[AnswerFormat, Mapping[str, Any], Any], None]] = {
    "response_format": _response_format,
    "config": _google_config,
}
