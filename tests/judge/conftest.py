import importlib.util
import sys
from pathlib import Path

import pytest

if "judge_loopback" not in sys.modules:  # under importlib mode, test modules find nothing beside them
    _spec = importlib.util.spec_from_file_location("judge_loopback", Path(__file__).with_name("loopback.py"))
    sys.modules["judge_loopback"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["judge_loopback"])


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-000")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
