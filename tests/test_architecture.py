"""The floors of the package, written down: imports go down only, every module has its place, nothing grows too big."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "scorerkit"

FLOORS = (
    ("__main__",),
    ("main", "pytest_plugin"),
    ("commands", "live", "testing"),
    ("scoring",),
    ("scorer", "trials", "archive"),
    ("experiment",),
    ("engine",),
    ("pipeline",),
    ("builder", "starters", "revisions"),
    ("loader",),
    ("build",),
    ("library",),
    ("check",),
    ("steps",),
    ("report", "results"),
    ("calibration",),
    ("dataset",),
    ("traces",),
    ("judge",),
    ("store",),
    ("settings",),
    ("assembly",),
    ("definition",),
    ("expression",),
    ("template", "reference", "source", "rules", "bundling", "inheritance"),
    ("functions",),
    ("messages",),
    ("conversion",),
    ("model",),
    ("errors", "shipped", "suggest", "__init__"),
)
"""High to low; some floors are not built yet. Modules that share a floor are neighbours, and no neighbour imports another."""

HEIGHT = {area: -index for index, floor in enumerate(FLOORS) for area in floor}
MOST_LINES = 300
MOST_FUNCTION_LINES = 60


def module_name(file):
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in sorted(PACKAGE.rglob("*.py"))}


def area(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def statements(tree):
    """Everything that runs: blocks under ``if TYPE_CHECKING`` never do, and may look up."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from statements(node)


def imported(source):
    """The modules of this package that a text imports, at any depth."""
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            full = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in MODULES else node.module for name in full)


IMPORTS = {module: sorted(set(imported(file.read_text("utf-8")))) for module, file in MODULES.items()}


def test_every_module_has_its_floor():
    assert {area(module) for module in MODULES} - set(HEIGHT) == set()


def test_no_floor_names_an_area_twice():
    assert len(HEIGHT) == sum(map(len, FLOORS))


def test_imports_go_to_lower_floors_only():
    wrong = [
        f"{module} imports {other}"
        for module, others in IMPORTS.items()
        for other in others
        if area(module) != area(other) and HEIGHT[area(other)] >= HEIGHT[area(module)]
    ]
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle():
    try:
        TopologicalSorter(IMPORTS).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_relative_imports_are_not_used():
    wrong = [
        f"{module}:{node.lineno}"
        for module, file in MODULES.items()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert wrong == []


@pytest.mark.parametrize("module", MODULES)
def test_a_module_fits_on_a_few_screens(module):
    assert len(MODULES[module].read_text("utf-8").splitlines()) <= MOST_LINES


def test_functions_are_short():
    long = [
        f"{module}.{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for module, file in MODULES.items()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno - node.lineno + 1 > MOST_FUNCTION_LINES
    ]
    assert long == []


@pytest.mark.parametrize("word", ["utils", "helpers", "common", "base", "misc"])
def test_no_module_has_a_name_that_says_nothing(word):
    assert [module for module in MODULES if word in module.split(".")] == []


def test_only_commands_and_the_boundary_print():
    printing = {
        module
        for module, file in MODULES.items()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "click.echo")
    }
    assert {area(module) for module in printing} <= {"commands", "main"}


def test_nothing_evaluates_text_as_python():
    calls = {
        f"{module}: {ast.unparse(node.func)}"
        for module, file in MODULES.items()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("eval", "exec")
    }
    assert calls == set()
