"""Dotted names of Python functions: who may be named, what is known without importing, and the function itself."""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OWN = "scorerkit.functions"
MAX_SOURCE = 2**20


class Refusal(NamedTuple):
    """Why a name cannot be used, as the parts of a problem."""

    code: str
    message: str
    why: str | None = None
    fix: str | None = None


class Signature(NamedTuple):
    """The arguments a function declares. ``open`` means that it takes any keyword."""

    names: tuple[str, ...]
    required: tuple[str, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A function that may be named, not imported yet; ``function`` is set where Python handed it over."""

    module: str
    name: str
    origin: Literal["own", "project", "installed", "given"]
    file: Path | None = None
    function: Callable[..., Any] | None = None

    def digest(self) -> str | None:
        """SHA-256 of the module's source, for functions of the project."""
        if self.origin == "project" and self.file is not None:
            return hashlib.sha256(self.file.read_bytes()).hexdigest()
        return None


@dataclass(frozen=True, slots=True)
class Namespace:
    """Whose functions one scorer file may name.

    Attributes:
        root: the project root, whose modules are found first.
        trusted: whether the scorer file lies in the project, so that the project's modules are allowed.
        allowed: packages and modules that the user allowed by name.
    """

    root: Path
    trusted: bool = True
    allowed: tuple[str, ...] = ()

    def find(self, written: str) -> Reference | Refusal:
        """The function that a dotted name means; nothing is imported."""
        module, separator, name = written.rpartition(":" if ":" in written else ".")
        parts = [*module.split("."), name]
        if not separator or not all(part.isidentifier() for part in parts):
            fix = "write package.module.name"
            return Refusal("unresolved-function", f"'{written}' is not the dotted name of a function", None, fix)
        if module == OWN or module.startswith(f"{OWN}."):
            return Reference(module, name, "own")
        file = module_file(self.root, module)
        if self.trusted and file is not None:
            return Reference(module, name, "project", file)
        if any(module == prefix or f"{module}.{name}".startswith(f"{prefix}.") for prefix in self.allowed):
            return Reference(module, name, "installed")
        return self._refused(written, module)

    def _refused(self, written: str, module: str) -> Refusal:
        top = module.partition(".")[0]
        if self.trusted and not _is_installed(top, self.root):
            fix = nearby_module(self.root, module)
            return Refusal("unresolved-function", f"there is no module '{module}'", "searched the project root", fix)
        if not self.trusted:
            why = "this scorer file lies outside the project, so only functions allowed by name may run"
        else:
            why = "a scorer file may name functions of its project and of scorerkit.functions"
        fix = f'to allow it: allowFunctions = ["{top}"] in scorerkit.toml, or --allow-function {top}'
        return Refusal("function-not-allowed", f"the function '{written}' is not allowed", why, fix)


def _is_installed(top: str, root: Path) -> bool:
    """Whether a top-level module exists outside the project; finding a top-level name imports nothing."""
    if top in sys.builtin_module_names or top in sys.stdlib_module_names:
        return True
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return False
    if spec is None:
        return False
    # The working directory may be on the import path: what is found there belongs to the project.
    places = [spec.origin] if spec.origin else [*(spec.submodule_search_locations or ())]
    return not all(Path(place).resolve().is_relative_to(root.resolve()) for place in places)


def module_file(root: Path, module: str) -> Path | None:
    """The source file of a module under ``root``; None where there is none, or where a link leads out."""
    base = root.joinpath(*module.split("."))
    for file in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
        if file.is_file() and file.resolve().is_relative_to(root.resolve()):
            return file
    return None


def nearby_module(root: Path, module: str) -> str | None:
    """A module of the project that is spelt almost like this one, as the end of a message."""
    folder, parts = root, []
    for part in module.split("."):
        names = {
            entry.stem if entry.suffix == ".py" else entry.name
            for entry in (folder.iterdir() if folder.is_dir() else ())
            if entry.suffix == ".py" or (entry.is_dir() and entry.name.isidentifier())
        }
        close = [part] if part in names else get_close_matches(part, sorted(names), n=1, cutoff=0.7)
        if not close:
            return None
        parts.append(close[0])
        folder = folder / close[0]
    found = ".".join(parts)
    return f"did you mean '{found}'?" if found != module and module_file(root, found) else None


# -- what the source says ----------------------------------------------------------------------------------------------


def read_signature(reference: Reference) -> Signature | Refusal | None:
    """The declared arguments, read from the source; None where the source does not tell."""
    if reference.function is not None:
        return signature_of(reference.function)
    if reference.origin == "own":
        return signature_of(load(reference)) if _own_exists(reference) else _no_such(reference, _own_names(reference))
    if reference.file is None:
        return None
    try:
        text = reference.file.read_bytes()
        tree = ast.parse(text if len(text) <= MAX_SOURCE else b"")
    except (OSError, SyntaxError, ValueError, RecursionError) as error:
        message = f"the module '{reference.module}' cannot be read: {error}"
        return Refusal("unresolved-function", message)
    names: list[str] = []
    for node in _top_level(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == reference.name:
            return _declared(node)
        names += _bound_names(node)
    return None if reference.name in names or "*" in names else _no_such(reference, names)


def _top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements of a module, the last first, so that the last definition of a name wins."""
    for node in reversed(tree.body):
        yield node
        for inner in (*getattr(node, "body", ()), *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())):
            if isinstance(node, (ast.If, ast.Try, ast.With)):
                yield inner


def _bound_names(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [name.id for target in targets if target for name in ast.walk(target) if isinstance(name, ast.Name)]


def _declared(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Signature | Refusal:
    spec = node.args
    if spec.posonlyargs:
        message = f"'{node.name}' takes '{spec.posonlyargs[0].arg}' by position only"
        return Refusal("unresolved-function", message, "arguments are passed by name", "remove the '/'")
    plain = [argument.arg for argument in spec.args]
    optional = plain[len(plain) - len(spec.defaults) :] if spec.defaults else []
    by_name = [argument.arg for argument in spec.kwonlyargs]
    optional += [name for name, default in zip(by_name, spec.kw_defaults, strict=True) if default is not None]
    names = (*plain, *by_name)
    return Signature(names, tuple(name for name in names if name not in optional), spec.kwarg is not None)


def _no_such(reference: Reference, names: list[str]) -> Refusal:
    close = get_close_matches(reference.name, [name for name in names if not name.startswith("_")], n=1, cutoff=0.7)
    fix = f"did you mean '{reference.module}.{close[0]}'?" if close else None
    return Refusal("unresolved-function", f"module '{reference.module}' has no '{reference.name}'", None, fix)


def _own_names(reference: Reference) -> list[str]:
    return list(getattr(importlib.import_module(OWN), "__all__", ())) if reference.module == OWN else []


def _own_exists(reference: Reference) -> bool:
    return reference.module == OWN and reference.name in _own_names(reference)


# -- the function itself -----------------------------------------------------------------------------------------------


def load(reference: Reference, root: Path | None = None) -> Callable[..., Any]:
    """Import the module and take the function.

    Raises:
        LookupError: when the module has no such name, or it is no function; the message says which.
        Exception: whatever the module raises while it is imported.
    """
    if reference.function is not None:
        return reference.function
    with _importable(root if reference.origin == "project" else None):
        module = importlib.import_module(reference.module)
    origin = getattr(module, "__file__", None)
    if reference.file is not None and origin and Path(origin).resolve() != reference.file.resolve():
        message = f"the name '{reference.module}' is taken by another module, {origin}"
        raise LookupError(message)
    found = getattr(module, reference.name, None)
    if not callable(found):
        message = f"'{reference.module}.{reference.name}' is {'missing' if found is None else 'not a function'}"
        raise LookupError(message)  # noqa: TRY004 - the name does not give what was looked for
    return found  # type: ignore[no-any-return]


@contextmanager
def _importable(root: Path | None) -> Iterator[None]:
    """The project root in front of everything while a module of it is imported, and at the end afterwards."""
    if root is None:
        yield
        return
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))
        if str(root) not in sys.path:
            sys.path.append(str(root))


def signature_of(function: Callable[..., Any]) -> Signature | Refusal:
    """The arguments of a function that is at hand."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return Refusal("unresolved-function", f"the arguments of {function!r} cannot be read")
    if any(each.kind is each.POSITIONAL_ONLY for each in parameters):
        return Refusal("unresolved-function", "it takes an argument by position only", "arguments are passed by name")
    named = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    return Signature(
        tuple(each.name for each in named),
        tuple(each.name for each in named if each.default is each.empty),
        any(each.kind is each.VAR_KEYWORD for each in parameters),
    )
