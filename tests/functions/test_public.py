import inspect
import subprocess
import sys

from scorerkit import functions


def test_every_name_is_listed_once_in_order_and_explained():
    assert functions.__all__ == sorted(set(functions.__all__))
    assert ["FILTERS", *functions.FILTERS] == functions.__all__
    for name, function in functions.FILTERS.items():
        assert function is getattr(functions, name)
        assert function.__name__ == name
        assert inspect.getdoc(function)


def test_loading_the_functions_loads_no_engine():
    code = "import sys, scorerkit.functions; print([m for m in ('re2', 'jinja2', 'instructor') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
