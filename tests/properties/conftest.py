import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GOOD = HERE.parent / "good"

for _name in ("writers", "mutations"):  # under importlib mode, test modules find nothing beside them
    if f"property_{_name}" not in sys.modules:
        _spec = importlib.util.spec_from_file_location(f"property_{_name}", HERE / f"{_name}.py")
        sys.modules[f"property_{_name}"] = importlib.util.module_from_spec(_spec)
        _spec.loader.exec_module(sys.modules[f"property_{_name}"])


def pytest_generate_tests(metafunc):
    if "good" in metafunc.fixturenames:
        files = [file for file in sorted(GOOD.glob("*.*")) if file.suffix in (".yaml", ".toml")]
        metafunc.parametrize("good", files, ids=[file.name for file in files])


@pytest.fixture(autouse=True)
def _no_model(monkeypatch):
    monkeypatch.delenv("SCORERKIT_JUDGE_MODEL", raising=False)
