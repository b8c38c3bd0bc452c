"""The page of the library is what its files say."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_of_the_library_is_up_to_date():
    spec = importlib.util.spec_from_file_location("generate_library", DOCS / "generate_library.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.page() == (DOCS / "library.md").read_text("utf-8"), "run: python docs/generate_library.py"
