"""What the tests of the Python module share: the program to compare with, data known to be right, and tables.

RETROSOW_BINARY is the program; the module is found by PYTHONPATH. ctest sets both.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

import retrosow

# Tests are `full`, in files test_*_long.py `long`: ctest picks them by that.
def pytest_configure(config):
    for label in ("full", "long"):
        config.addinivalue_line("markers", f"{label}: the ctest label")


def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker("long" if item.path.stem.endswith("_long") else "full")


SOURCE = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    """program(*words) runs `retrosow` and gives its JSON records; `code` is the exit code that is expected."""
    binary = os.environ["RETROSOW_BINARY"]

    def run(*words, code=0):
        ran = subprocess.run([binary, *map(str, words), "--json"], capture_output=True, text=True)
        assert ran.returncode == code, ran.stderr
        return [json.loads(line) for line in ran.stdout.splitlines()]

    return run


@pytest.fixture(scope="session")
def data():
    """data(name) gives the records of a file of tests/data."""

    def read(name):
        return [json.loads(line) for line in (SOURCE / "tests" / "data" / name).read_text().splitlines()]

    return read


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Tables with distances: Urim 2x3 to 8 seeds and 2x6 to 5, and the round of Rio Kadalis from 3 v 2 holes."""
    path = tmp_path_factory.mktemp("tables")
    retrosow.build(path, seeds=8, pits=3, distance=True)
    retrosow.build(path, seeds=5, distance=True)
    retrosow.build(path, "rio-kadalis", start="4,4,4/4,x,4", distance=True)
    return path
