import hashlib
import sys

import pytest

from scorerkit.reference import (
    Namespace,
    Reference,
    Refusal,
    Signature,
    load,
    module_file,
    read_signature,
    signature_of,
)

SOURCE = """
import json
from os.path import join as glue

LIMIT: int = 3
a, (b, c) = 1, (2, 3)
if True:
    def in_if(x): ...
try:
    def in_try(x): ...
except Exception:
    def in_handler(x): ...

def plain(run, params, *, threshold=1, extra): ...
async def later(run, **rest): ...
def twice(first): ...
def twice(second): ...
def positional(run, /): ...
class Scoring: ...
"""


@pytest.fixture
def names(project, write):
    write("pkg/mine.py", SOURCE)
    write("pkg/sub/__init__.py", "def deep(run): ...\n")
    return Namespace(project)


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("pkg.mine.plain", "project"),
        ("pkg.mine:plain", "project"),
        ("pkg.sub.deep", "project"),
        ("scorerkit.functions.mean", "own"),
    ],
)
def test_a_name_that_may_be_used(names, written, origin):
    found = names.find(written)
    assert (type(found), found.origin) == (Reference, origin)


@pytest.mark.parametrize(
    ("written", "code", "words"),
    [
        ("os.system", "function-not-allowed", "os.system"),
        ("subprocess.run", "function-not-allowed", "not allowed"),
        ("click.echo", "function-not-allowed", "not allowed"),
        ("pkg.mien.plain", "unresolved-function", "pkg.mien"),
        ("gone.away", "unresolved-function", "gone"),
        ("plain", "unresolved-function", "dotted name"),
        ("a..b", "unresolved-function", "dotted name"),
        ("a.b-c", "unresolved-function", "dotted name"),
        ("a.b()", "unresolved-function", "dotted name"),
        ("", "unresolved-function", "dotted name"),
        ("..mine.x", "unresolved-function", "dotted name"),
        ("a.__import__('os')", "unresolved-function", "dotted name"),
    ],
)
def test_a_name_that_may_not(names, written, code, words):
    found = names.find(written)
    assert (type(found), found.code) == (Refusal, code)
    assert words in found.message


def test_a_misspelt_module_gets_a_suggestion(names):
    assert names.find("pkg.mien.plain").fix == "did you mean 'pkg.mine'?"


@pytest.mark.parametrize(
    ("allowed", "written", "fine"),
    [
        (("json",), "json.dumps", True),
        (("json",), "json.decoder.JSONDecoder", True),
        (("json",), "jsonschema.validate", False),
        (("json.decoder",), "json.dumps", False),
        (("os.path",), "os.system", False),
        (("os.path",), "os.path.join", True),
    ],
)
def test_modules_are_allowed_by_name_and_not_by_prefix_of_letters(names, allowed, written, fine):
    found = Namespace(names.root, True, allowed).find(written)
    assert isinstance(found, Reference) is fine


def test_a_file_from_elsewhere_gets_no_module_of_the_project(names):
    stranger = Namespace(names.root, trusted=False)
    assert stranger.find("pkg.mine.plain").code == "function-not-allowed"
    assert isinstance(stranger.find("scorerkit.functions.mean"), Reference)
    assert isinstance(Namespace(names.root, False, ("pkg",)).find("pkg.mine.plain"), Reference)


def test_a_link_out_of_the_project_is_no_module(names, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "evil.py"
    outside.write_text("def score(): ...\n")
    (names.root / "evil.py").symlink_to(outside)
    assert module_file(names.root, "evil") is None
    assert isinstance(names.find("evil.score"), Refusal)


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("plain", Signature(("run", "params", "threshold", "extra"), ("run", "params", "extra"))),
        ("later", Signature(("run",), ("run",), open=True)),
        ("twice", Signature(("second",), ("second",))),
        ("in_if", Signature(("x",), ("x",))),
        ("in_try", Signature(("x",), ("x",))),
    ],
)
def test_arguments_are_read_from_the_source(names, name, signature):
    assert read_signature(names.find(f"pkg.mine.{name}")) == signature


@pytest.mark.parametrize("name", ["LIMIT", "a", "c", "json", "glue", "Scoring"])
def test_a_name_that_is_bound_in_another_way_is_not_known_better(names, name):
    assert read_signature(names.find(f"pkg.mine.{name}")) is None


def test_a_star_import_may_bring_any_name(names, write):
    write("star.py", "from json import *\n")
    assert read_signature(names.find("star.anything")) is None


@pytest.mark.parametrize(
    ("name", "words", "fix"),
    [
        ("plian", "has no 'plian'", "pkg.mine.plain"),
        ("zzz", "has no 'zzz'", None),
        ("positional", "by position only", "/"),
    ],
)
def test_a_function_that_cannot_be_called_is_refused(names, name, words, fix):
    found = read_signature(names.find(f"pkg.mine.{name}"))
    assert words in found.message
    assert (found.fix is None) if fix is None else (fix in found.fix)


@pytest.mark.parametrize("source", ["def broken(:\n", "\x00", "x = " + "(" * 5000])
def test_a_module_that_does_not_parse_is_refused(names, write, source):
    write("broken.py", source.encode())
    found = read_signature(names.find("broken.score"))
    assert found.code == "unresolved-function"


def test_a_name_of_this_package_is_known_without_a_source(names):
    assert isinstance(read_signature(names.find("scorerkit.functions.mean")), Signature)
    assert "'scorerkit.functions.mean'" in read_signature(names.find("scorerkit.functions.maen")).fix
    assert isinstance(read_signature(names.find("scorerkit.functions.numbers.mean")), Refusal)


def test_reading_imports_nothing(names, write):
    write("loud.py", "import sys\nsys.exit('imported')\ndef score(): ...\n")
    read_signature(names.find("loud.score"))
    assert "loud" not in sys.modules


def test_loading_imports_from_the_project(names):
    assert load(names.find("pkg.sub.deep"), names.root)(1) is None


@pytest.mark.parametrize(("name", "words"), [("gone", "is missing"), ("LIMIT", "not a function")])
def test_loading_what_is_no_function_says_so(names, name, words):
    with pytest.raises(LookupError, match=words):
        load(names.find(f"pkg.mine.{name}"), names.root)


def test_a_name_that_another_module_has_taken_is_said(names, write):
    write("json.py", "def score(): ...\n")
    with pytest.raises(LookupError, match="taken by another module"):
        load(names.find("json.score"), names.root)


def test_the_search_path_is_left_with_the_project_at_its_end(names):
    load(names.find("pkg.sub.deep"), names.root)
    assert sys.path[0] != str(names.root)
    assert sys.path[-1] == str(names.root)


def test_the_digest_of_a_function_is_that_of_its_module(names):
    found = names.find("pkg.mine.plain")
    assert found.digest() == hashlib.sha256(found.file.read_bytes()).hexdigest()
    assert names.find("scorerkit.functions.mean").digest() is None


@pytest.mark.parametrize("function", [print, len, dict.get, object()])
def test_a_function_whose_arguments_are_not_names_is_refused(function):
    assert isinstance(signature_of(function), (Refusal, Signature))


def test_the_arguments_of_a_function_at_hand():
    def score(run, *items, threshold=1, **rest): ...

    assert signature_of(score) == Signature(("run", "threshold"), ("run",), open=True)
