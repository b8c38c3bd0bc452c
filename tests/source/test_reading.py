from __future__ import annotations

import os
import pathlib

import pytest

from scorerkit.source import Document, read_document, read_text


def problem_of(file: pathlib.Path):
    problems = read_document(file, file.name)
    assert isinstance(problems, list)
    (problem,) = problems
    return problem


ENCODINGS = [
    (b"\xff\xfea\x00", (1, 1), "UTF-16"),
    (b"\xfe\xff\x00a", (1, 1), "UTF-16"),
    (b"\xff\xfe\x00\x00a\x00\x00\x00", (1, 1), "UTF-32"),
    (b"a: 1\r\nb: caf\xe9\n", (2, 7), "byte 12 (0xe9), line 2"),
    (b"a: \x001\n", (1, 4), "NUL"),
]


@pytest.mark.parametrize(("raw", "place", "has"), ENCODINGS)
def test_another_encoding_is_named_with_its_place(tmp_path, raw, place, has):
    file = tmp_path / "s.yaml"
    file.write_bytes(raw)
    problem = problem_of(file)
    assert (problem.code, problem.place[:2]) == ("unreadable-file", place)
    assert has in problem.message


def test_windows_files_are_read_like_unix_files(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: |\r\n  x\r\n  y\r\n")
    document = read_document(file, "s.yaml")
    assert isinstance(document, Document)
    assert (document.value, document.file) == ({"a": "x\ny\n"}, file.resolve())
    assert "\r" not in document.text


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    for name, has in [
        ("pipe.yaml", "regular"),
        ("folder.yaml", "folder"),
        ("missing.yaml", "no file"),
        ("a\0b.yaml", "path"),
    ]:
        problem = problem_of(tmp_path / name)
        assert problem.code == "unreadable-file"
        assert has in problem.message
    assert problem_of(pathlib.Path("/dev/zero")).code == "unreadable-file"


def test_a_file_beyond_a_mebibyte_is_refused(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_bytes(b"a: " + b"x" * (1024 * 1024 - 3))
    assert isinstance(read_document(file, "s.yaml"), Document)
    file.write_bytes(b"a: " + b"x" * (1024 * 1024 - 2))
    assert "1 MiB" in problem_of(file).message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_says_so(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_text("a: 1")
    file.chmod(0)
    assert "may not be read" in problem_of(file).message


@pytest.mark.parametrize("name", ["s.txt", "s", "s.yaml.bak"])
def test_an_unknown_suffix_lists_the_known_ones(tmp_path, name):
    file = tmp_path / name
    file.write_text("a: 1")
    problem = problem_of(file)
    assert problem.code == "unknown-format"
    assert "'.toml'" in (problem.fix or "")


def test_a_prompt_file_is_one_text(tmp_path):
    file = tmp_path / "p.md.j2"
    file.write_bytes(b"Rate {{ x }}\r\n")
    document = read_text(file, "p.md.j2")
    assert isinstance(document, Document)
    assert (document.value, document.syntax) == ("Rate {{ x }}\n", "text")
    assert isinstance(read_text(tmp_path / "none", "none"), list)
