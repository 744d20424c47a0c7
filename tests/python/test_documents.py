"""What the documents show is what happens."""

import doctest
import runpy
import sys
from unittest.mock import MagicMock

import conftest

import retrosow

PYTHON = conftest.SOURCE / "solver" / "python"


def test_the_examples_of_the_documents_are_true(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    retrosow.build("build/quickstart-tables", seeds=12)  # as scripts/quickstart does
    retrosow.build("tables", seeds=10, distance=True)  # as the tutorial of the guide does
    for document, least in (("README.md", 3), ("solver/GUIDE.md", 5), ("solver/python/README.md", 20)):
        results = doctest.testfile(str(conftest.SOURCE / document), module_relative=False)
        assert results.attempted >= least and results.failed == 0, document
    assert doctest.testmod(retrosow) == (0, 2)


def test_a_wrong_example_is_told(tmp_path, capsys):
    text = (PYTHON / "README.md").read_text().replace("(3, 'win', [2])", "(2, 'win', [2])")
    (tmp_path / "README.md").write_text(text.split("**Tables**")[0])
    assert doctest.testfile(str(tmp_path / "README.md"), module_relative=False).failed == 1
    assert "(3, 'win', [2])" in capsys.readouterr().out


def test_the_readme_names_everything_that_is_there():
    text = (PYTHON / "README.md").read_text()
    for name in retrosow.__all__:
        if name not in retrosow.records.__all__ and name not in ("MAX_LEVEL_SEEDS", "__version__", "Error"):
            assert f"`{name}" in text, name


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    """With a stand-in for matplotlib, which the tests do not need otherwise: what it is asked to draw is right."""
    matplotlib = MagicMock()
    figure, axes = MagicMock(), MagicMock()
    matplotlib.pyplot.subplots.return_value = (figure, axes)
    monkeypatch.setitem(sys.modules, "matplotlib", matplotlib)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", matplotlib.pyplot)
    monkeypatch.setattr(sys, "argv", ["urim_levels.py", str(tmp_path), "6"])
    shown = runpy.run_path(str(PYTHON / "examples" / "urim_levels.py"))
    assert [call.args[0].name for call in figure.savefig.call_args_list] == ["outcomes.png", "values.png", "distances.png"]
    assert (abs(shown["shares"].sum(axis=1) - 1) < 1e-12).all()
    assert [s.wins for s in shown["stats"]] == [5, 25, 127, 596, 2209, 5782]
    assert "18,564 positions of levels 0 to 6" in capsys.readouterr().out
