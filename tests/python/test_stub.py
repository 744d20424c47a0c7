"""The stub _native.pyi says what the compiled module has: names, kinds, parameters, defaults."""

import ast
import re
from pathlib import Path

import pytest

import retrosow
from retrosow import _native

STUB = Path(_native.__file__).parent / "_native.pyi"
# Python writes these itself, or they are there for it.
OWN = {"__repr__", "__str__", "__getstate__", "__setstate__"}


def signature(function):
    """Parameters of a compiled function, from the first line of its docstring: {name: has a default}, keyword-only ones
    marked; (kwargs) stands for whatever keywords."""
    first = function.__doc__.splitlines()[0]
    inside = re.fullmatch(r"\w+\((.*)\) -> .*", first)[1]
    depth, parts = 0, [""]
    for char in inside:
        depth += (char in "[({") - (char in "])}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    found, only = {}, False
    for part in (part.strip() for part in parts if part.strip()):
        if part == "*":
            only = True
            continue
        name = re.match(r"\*{0,2}\w+", part)[0]
        found[name] = ("=" in part, only)
    return found


def stub_signature(node):
    arguments = node.args
    plain = [(a.arg, i >= len(arguments.args) - len(arguments.defaults)) for i, a in enumerate(arguments.args)]
    found = {name: (default, False) for name, default in plain}
    found.update({a.arg: (d is not None, True) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)})
    return found


def kind(node):
    decorators = {d.id for d in node.decorator_list}
    return "property" if "property" in decorators else "static" if "staticmethod" in decorators else "method"


def compare_function(where, node, compiled, faults):
    real, stub = signature(compiled), stub_signature(node)
    if "**kwargs" in real:  # the stub names them; see the test of the options below
        del real["**kwargs"]
        stub = {name: value for name, value in stub.items() if not value[1]}
    if real != stub:
        faults.append(f"{where}: {stub} in the stub, {real} compiled")
    if node.returns is None or any(a.annotation is None for a in node.args.args[kind(node) != "static" and "self" in stub :]):
        faults.append(f"{where}: not all types are given")


def compare_class(node, compiled, faults):
    stub = {item.name: item for item in node.body}
    real = {name for name in vars(compiled) if not name.startswith("_") or name in ("__init__", "__eq__")}
    real |= {"__hash__"} if compiled.__hash__ is not object.__hash__ else set()
    if "__init__" not in stub:  # made by the module alone
        real.discard("__init__")
    for name in real ^ set(stub):
        faults.append(f"{node.name}.{name}: " + ("not in the stub" if name in real else "not compiled"))
    for name in real & set(stub):
        where, what, member = f"{node.name}.{name}", kind(stub[name]), vars(compiled).get(name)
        if what == "property":
            if not isinstance(member, property):
                faults.append(f"{where}: no property")
        elif name not in ("__eq__", "__hash__"):
            if isinstance(member, property) or isinstance(member, staticmethod) != (what == "static"):
                faults.append(f"{where}: no {what}")
            else:
                compare_function(where, stub[name], getattr(compiled, name), faults)


def compare(text):
    faults, named = [], set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        name = node.target.id if isinstance(node, ast.AnnAssign) else node.name
        named.add(name)
        compiled = getattr(_native, name, None)
        if compiled is None:
            faults.append(f"{name}: not compiled")
        elif isinstance(node, ast.ClassDef):
            compare_class(node, compiled, faults)
        elif isinstance(node, ast.FunctionDef):
            compare_function(name, node, compiled, faults)
        elif type(compiled).__name__ != node.annotation.id:
            faults.append(f"{name}: a {type(compiled).__name__}")
    public = {name for name in vars(_native) if not name.startswith("_")} | {"__version__"}
    faults += [f"{name}: not in the stub" for name in public - named]
    return faults


def test_the_stub_says_what_is_compiled():
    assert compare(STUB.read_text()) == []


@pytest.mark.parametrize(
    "right, wrong",
    [
        ("def play(self, pit: int)", "def play(self, hole: int)"),
        ("def play(self, pit: int)", "def play(self, pit: int = 1)"),
        ("def play(self, pit: int) -> Position", "def plays(self, pit: int) -> Position"),
        ("def play(self, pit: int) -> Position", "def play(self, pit) -> Position"),
        ("    def end(self) -> End | None: ...\n", ""),
        ("    @property\n    def seeds(self)", "    def seeds(self)"),
        ("    @staticmethod\n    def from_text(", "    def from_text(self, "),
        ("        *,\n        pits: int | None = None,", "        pits: int | None = None,"),
        ("CLOSED: int", "CLOSED: str"),
        ("def list_folder(path: str)", "def list_folder(path: str, rules: str)"),
        ("class Ranks:", "class Rank:"),
    ],
)
def test_a_stub_that_says_something_else_is_caught(right, wrong):
    text = STUB.read_text()
    assert text.count(right) >= 1
    assert compare(text.replace(right, wrong, 1)) != []


def test_the_stub_names_every_option_of_the_rules():
    (rule_set,) = [n for n in ast.parse(STUB.read_text()).body if getattr(n, "name", "") == "RuleSet"]
    (init,) = [n for n in rule_set.body if n.name == "__init__"]
    options = {name.replace("-", "_") for game in ("urim", "rio-kadalis") for name in retrosow.RuleSet(game).options}
    assert {name for name, (_, only) in stub_signature(init).items() if only} == options


def test_everything_public_is_there_and_says_what_it_is():
    assert len(set(retrosow.__all__)) == len(retrosow.__all__)
    for name in retrosow.__all__:
        thing = getattr(retrosow, name)
        if isinstance(thing, (int, str)):
            continue
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            public = not member.startswith("_") and (callable(value) or isinstance(value, (property, staticmethod)))
            assert not public or value.__doc__, f"{name}.{member}"
    assert (Path(retrosow.__file__).parent / "py.typed").exists()
