"""Values of a scorer's params: the caller's where given, else the defaults; always checked against their schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorerkit.check.given import given_value
from scorerkit.errors import ScorerkitError
from scorerkit.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.definition import Definition
    from scorerkit.model.json import Json


def params_of(definition: Definition, given: Mapping[str, Any]) -> dict[str, Json]:
    """The value of every param.

    ``given`` holds values; a text stays text where the param's schema allows text, and is read as JSON otherwise.

    Raises:
        ScorerkitError: ``bad-param``, for an unknown name, a missing value, or one that does not fit.
    """
    schemas = definition.get("params") or {}
    for name in given:
        if name not in schemas:
            fix = suggestion(name, schemas) if schemas else "the scorer has no params"
            message = f"the scorer '{definition.get('id')}' has no param '{name}'"
            raise ScorerkitError(message, code="bad-param", fix=fix)
    return {name: _value(definition, name, schema, given) for name, schema in schemas.items()}


def _value(definition: Definition, name: str, schema: dict[str, Json], given: Mapping[str, Any]) -> Json:
    if name not in given:
        if "default" in schema:
            return schema["default"]
        message = f"the param '{name}' of '{definition.get('id')}' has no default and must be given"
        raise ScorerkitError(message, code="bad-param", fix=f"-p {name}=…")
    import jsonschema_rs

    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    return given_value(name, schema, given[name], validator)
