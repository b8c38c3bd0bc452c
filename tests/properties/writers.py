"""JSON values as YAML and as TOML, one key a line: small collections of scalars in flow form, so that a value begins
on the line of its key."""

from __future__ import annotations

import json
import re


def scalar(value):
    return json.dumps(value, ensure_ascii=False)


def is_small(value):
    inner = value.values() if isinstance(value, dict) else value
    return len(value) <= 1 and not any(isinstance(each, (dict, list)) for each in inner)


def yaml_key(key):
    return key if re.fullmatch(r"[A-Za-z_$][\w-]*", key) and key not in ("null", "true", "false") else scalar(key)


def yaml_of(value, indent=0):
    """Block YAML that the value is read from."""
    lines = []
    pad = "  " * indent
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, (dict, list)) and not is_small(inner):
                lines += [f"{pad}{yaml_key(key)}:", *yaml_of(inner, indent + 1)]
            else:
                lines.append(f"{pad}{yaml_key(key)}: {scalar(inner)}")
    else:
        for inner in value:
            if isinstance(inner, (dict, list)) and not is_small(inner):
                first, *rest = yaml_of(inner, indent + 1)
                lines += [f"{pad}- {first.lstrip(' ')}", *rest]
            else:
                lines.append(f"{pad}- {scalar(inner)}")
    return lines


def toml_key(key):
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else scalar(key)


def toml_flow(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_key(key)} = {toml_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_flow, value)) + "]"
    if isinstance(value, str):
        return scalar(value).replace("\x7f", "\\u007f")
    return scalar(value)


def toml_of(value, path=()):
    """TOML that the value is read from: pairs first, then tables, lists of mappings as ``[[tables]]``."""
    lines, tables = [], []
    for key, inner in value.items():
        here = ".".join(map(toml_key, (*path, key)))
        if isinstance(inner, dict) and not is_small(inner):
            tables += [f"[{here}]", *toml_of(inner, (*path, key))]
        elif isinstance(inner, list) and inner and all(isinstance(each, dict) and len(each) > 1 for each in inner):
            for each in inner:
                tables += [f"[[{here}]]", *toml_of(each, (*path, key))]
        else:
            lines.append(f"{toml_key(key)} = {toml_flow(inner)}")
    return [*lines, *tables]


def holds_null(value):
    if isinstance(value, dict):
        return any(map(holds_null, value.values()))
    return any(map(holds_null, value)) if isinstance(value, list) else value is None


WRITERS = {
    "yaml": lambda value: "\n".join(yaml_of(value)) + "\n",
    "toml": lambda value: "\n".join(toml_of(value)) + "\n",
}
