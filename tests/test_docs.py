"""Every example in the README, the docs and the docstrings is run, and prints what stands there."""

import doctest
import importlib.util
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import rumsim

ROOT = Path(__file__).parent.parent
_spec = importlib.util.spec_from_file_location("refresh", ROOT / "docs" / "refresh.py")
assert _spec and _spec.loader
refresh = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(refresh)

FOUND = [found.name for found in pkgutil.walk_packages(rumsim.__path__, "rumsim.")]
MODULES = sorted(name for name in FOUND if "__main__" not in name)


@pytest.mark.parametrize("page", refresh.PAGES, ids=lambda page: page.name)
def test_commands_on_a_page_print_what_stands_there(page):
    text = page.read_text(encoding="utf-8")
    assert refresh.refreshed(text) == text, "run `python docs/refresh.py`"


@pytest.mark.parametrize("page", refresh.PAGES, ids=lambda page: page.name)
def test_python_on_a_page_prints_what_stands_there(page):
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.failed == 0


@pytest.mark.parametrize("name", ["rumsim", *MODULES])
def test_docstring_examples(name):
    found = doctest.testmod(import_module(name))
    assert found.failed == 0
