import sys
from pathlib import Path

import pytest

from scorerkit.traces.formats import FORMATS
from scorerkit.traces.run import as_agent, record_of_trace
from scorerkit.traces.trace import Trace

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def told():
    """(name of a format, a value) → the record of the trace in it."""

    def tell(name, value):
        form = FORMATS[name]
        return record_of_trace(Trace(form, list(form.raws(value))))

    return tell


@pytest.fixture
def agent(told):
    """(name of a format, a value) → the agent run of the trace in it."""

    def tell(name, value):
        made = told(name, value)
        assert made.error is None, made.error.message
        return as_agent(made.run)

    return tell
