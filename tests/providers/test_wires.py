"""The real SDKs of providers against servers that speak their wire formats, each SDK that is an extra in an environment of its own.

``SCORERKIT_PROVIDER_ENVIRONMENTS`` names a folder with environments that exist already, one folder per provider;
what is neither there nor importable here is made for the time of the test.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXTRAS = {"anthropic": "anthropic", "google": "google.genai", "mistral": "mistralai", "bedrock": "boto3"}
ALWAYS = ("openai", "azure_openai")
SDK_S_OWN_WARNING = "ignore:Inheritance class AiohttpClientSession:DeprecationWarning"

pytestmark = pytest.mark.slow


def installed(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:
        return False


def python_with(extra, tmp_path):
    """A Python that has the extra and pytest."""
    if extra in ALWAYS or installed(EXTRAS[extra]):
        return sys.executable
    ready = Path(os.environ.get("SCORERKIT_PROVIDER_ENVIRONMENTS", os.devnull)) / extra / "bin" / "python"
    if ready.exists():
        return str(ready)
    own = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", own], check=True, timeout=120)
    python = own / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = [python, "-m", "pip", "install", "--quiet", "pytest>=8.3", f"{ROOT}[{extra}]"]
    done = subprocess.run(wanted, capture_output=True, text=True, timeout=600)
    if done.returncode:
        pytest.skip(f"pip cannot install scorerkit[{extra}]: {done.stderr.strip().splitlines()[-1]}")
    return str(python)


@pytest.mark.parametrize("extra", [*ALWAYS, *EXTRAS])
def test_the_real_sdk_does_what_every_provider_must_do(extra, tmp_path):
    python = python_with(extra, tmp_path)
    pytest_alone = ["-m", "pytest", "-q", "--tb=short", "-c", os.devnull, "--noconftest", "-p", "no:cacheprovider"]
    strictly = ["-W", "error", "-W", SDK_S_OWN_WARNING]
    told = {**os.environ, "SCORERKIT_CHECKED": extra, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python, *pytest_alone, *strictly, "--rootdir", HERE, HERE / "wire_checks.py"]
    done = subprocess.run(command, env=told, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
