"""What instructor does not say as each family of providers wants it: roles, system messages, the schema itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorerkit.judge.format import AnswerFormat
    from scorerkit.judge.modes import Family
    from scorerkit.model.judge import Message

BARE: frozenset[Family] = frozenset({"openai", "google", "mistral"})
"""Where instructor must not see the schema, gets an empty one, and ours is put in later: for Google it drops what it
does not know and refuses type lists and numbers in ``enum``; for Mistral the SDK's helper closes objects in place; for
OpenAI ``strict`` cannot be said, and the SDK walks through everything that is not in ``extra_body``, which costs as
much time as sending it."""


def spoken(family: Family, messages: Sequence[Message], arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of ``create`` with the messages."""
    if family == "openai":
        extra = {"messages": _as_they_are(messages), **arguments.get("extra_body", {})}
        return {**arguments, "messages": [], "extra_body": extra}
    if family != "google":
        return {**arguments, "messages": _as_they_are(messages)}
    # instructor knows Google's word for the assistant only, and refuses system messages with braces in them.
    roles = {"assistant": "model"}
    said = [{"role": roles.get(role, role), "content": text} for role, text in messages if role != "system"]
    system = "\n\n".join(text for role, text in messages if role == "system")
    return {**arguments, "messages": said, **({"system": system} if system else {})}


def _as_they_are(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": role, "content": content} for role, content in messages]


def put_schema(form: AnswerFormat, given: Mapping[str, Any], live: Mapping[str, Any]) -> None:
    """Complete a native request that instructor has prepared and not yet sent; its objects are changed in place.

    Args:
        form: the wanted form.
        given: the arguments that instructor was called with.
        live: those that it is about to call the SDK with.
    """
    if config := live.get("config"):
        _google_config(form, given, config)
    elif "messages" in live.get("extra_body", ()):
        _extra_body(form, live)
    elif told := (live.get("response_format") or {}).get("json_schema"):
        told |= _json_schema(form, told["name"])


def _extra_body(form: AnswerFormat, live: Mapping[str, Any]) -> None:
    """OpenAI: what stands here is sent instead of the argument of the same name."""
    if told := (live.get("response_format") or {}).get("json_schema"):
        wanted = _json_schema(form, told["name"])
        if not form.strict:
            del wanted["strict"]  # servers that do not know the word know its absence
        live["extra_body"]["response_format"] = {"type": "json_schema", "json_schema": wanted}
        live["response_format"].clear()
    elif tools := live.get("tools"):
        function = {**tools[0]["function"], "parameters": form.wire}
        live["extra_body"]["tools"] = [{**tools[0], "function": function}]


def _json_schema(form: AnswerFormat, name: str) -> dict[str, Any]:
    return {"name": name, "schema": {**form.wire, "title": name}, "strict": form.strict}


def _google_config(form: AnswerFormat, given: Mapping[str, Any], config: Any) -> None:
    """Google takes a JSON Schema as it is; settings and everything in ``extra`` hold for native output too."""
    for tool in config.tools or ():
        for declared in tool.function_declarations or ():
            declared.parameters, declared.parameters_json_schema = None, form.wire
    for name, value in (given.get("config") or {}).items():
        setattr(config, name, value)
    if not config.system_instruction:
        config.system_instruction = None
