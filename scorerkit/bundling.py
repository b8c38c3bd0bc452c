"""Files that a JSON Schema refers to, brought into the schema: whatever checks it later fetches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scorerkit.model.json import Json, Path
    from scorerkit.source.document import Document

DATA = ("enum", "const", "default", "examples")
"""Keywords whose values are data, in which ``$ref`` is no reference."""

Load = Callable[["Document", str, "Path"], "Document | None"]
"""(the file that refers, the file it names, where it says so) → that file; None when it may not or cannot be read."""


def references(schema: Json, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every ``$ref`` of a schema: where it stands, and what it says."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from references(item, (*path, index))
    elif isinstance(schema, dict):
        for key, item in schema.items():
            if key == "$ref" and isinstance(item, str):
                yield (*path, key), item
            elif key not in DATA:
                yield from references(item, (*path, key))


def refers_to_files(schema: Json) -> bool:
    """Whether a schema needs :func:`bundled`."""
    return any(_is_file(written) for _, written in references(schema))


def _is_file(written: str) -> bool:
    return not written.startswith("#") and "://" not in written


def bundled(schema: dict[str, Json], base: Document, load: Load) -> tuple[dict[str, Json], dict[str, Document]]:
    """The schema with the files it refers to under ``$defs``, and which file each of those came from.

    A reference that cannot be followed stays as it is.
    """
    bundle = _Bundle(load)
    whole = bundle.rewritten(schema, base, None)
    if bundle.parts:
        whole["$defs"] = {**whole.get("$defs", {}), **bundle.parts}
    return whole, bundle.documents


class _Bundle:
    """Files that were met, each once."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self.parts: dict[str, Json] = {}
        self.documents: dict[str, Document] = {}
        self._keys: dict[str, str] = {}

    def rewritten(self, schema: Json, base: Document, key: str | None, path: Path = ()) -> Any:
        """A copy whose references point into the bundle; ``key`` is where ``base`` stands in it, None for the root."""
        if isinstance(schema, list):
            return [self.rewritten(item, base, key, (*path, index)) for index, item in enumerate(schema)]
        if not isinstance(schema, dict):
            return schema
        copied = {}
        for name, item in schema.items():
            if name == "$ref" and isinstance(item, str):
                copied[name] = self._reference(item, base, key, (*path, name))
            else:
                copied[name] = item if name in DATA else self.rewritten(item, base, key, (*path, name))
        return copied

    def _reference(self, written: str, base: Document, key: str | None, path: Path) -> str:
        if written.startswith("#"):
            return written if key is None else _pointer(key, written[1:])
        if not _is_file(written):
            return written
        file, _, pointer = written.partition("#")
        found = self._load(base, file, path)
        if found is None:
            return written
        return _pointer(self._key(found, file), pointer)

    def _key(self, document: Document, written: str) -> str:
        """The name of a file under ``$defs``; its content is put there when it is first met."""
        known = self._keys.get(str(document.file))
        if known is not None:
            return known
        key = written.replace("/", "_")
        while key in self.parts:
            key += "_"
        self._keys[str(document.file)] = key
        self.documents[key] = document
        self.parts[key] = {}  # so that a file that refers back to itself is met once
        self.parts[key] = self.rewritten(document.value, document, key)
        return key


def _pointer(key: str, pointer: str) -> str:
    return f"#/$defs/{key.replace('~', '~0')}{pointer}"
