"""Counts the small faults in the rules that the tests notice.

Takes a seeded sample of all single changes of the rules' modules (a comparison turned, a sum made a difference, `and`
made `or`, a number off by one, a condition negated, an answer dropped), each tried in a process of its own. Survivors
are listed with their line, to be looked at: a missing test, or a change that changes nothing.
"""

import ast
import importlib.abc
import importlib.util
import os
import random
import resource
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Annotated

import hypothesis  # noqa: F401  # imported once, before the tries branch off
import pytest

from tock_bench.places import ROOT
from tock_bench.results import Figures, Say

RULES = ROOT / "companion" / "tock_companion" / "rules"
FIRST = ["test_dotted_lines", "test_switches", "test_cardgame", "test_perft"]
FIRST_OF = {
    "why": ["test_dotted_lines", "test_confusion"],
    "notation": ["test_notation"],
    "record": ["test_games"],
}
"""Tests that are tried first, by how the module's name begins: the sooner one fails, the cheaper the fault."""
CPU_S = 90
"""A fault that takes longer hangs, which somebody would notice."""
MEMORY_BYTES = 3 << 30
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitXor: ast.BitOr,
}  # fmt: skip


def mutants(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Make every single change of the tree, one after the other; yield its line and what it is while it is made."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Compare(ops=[op]) if type(op) in COMPARED:
                node.ops = [COMPARED[type(op)]()]
                yield line, f"{type(op).__name__} turned"
                node.ops = [op]
            case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in CALCULATED and not _is_type(node):
                node.op = CALCULATED[type(op)]()
                yield line, f"{type(op).__name__} changed"
                node.op = op
            case ast.BoolOp(op=op):
                node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
                yield line, f"{type(op).__name__} changed"
                node.op = op
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                node.test = ast.UnaryOp(ast.Not(), test)
                yield line, "condition negated"
                node.test = test
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                node.value = value + 1
                yield line, f"{value} plus one"
                node.value = value
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                node.value = ast.Constant(None)
                yield line, "answer dropped"
                node.value = value


def _is_type(node: ast.AST) -> bool:
    """Whether this is `X | None` in an annotation."""
    return isinstance(node, ast.BinOp) and any(
        isinstance(side, ast.Constant) and (side.value is None or isinstance(side.value, str))
        for side in (node.left, node.right)
    )


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module of the rules another source."""

    def __init__(self, module: str, source: str) -> None:
        dotted = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.name = f"tock_companion.rules.{dotted}"
        self.path = str(RULES / module)
        self.folders = [str(Path(self.path).parent)] if module.endswith("__init__.py") else None
        self.source = source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        return (
            importlib.util.spec_from_file_location(
                fullname, self.path, loader=self, submodule_search_locations=self.folders
            )
            if fullname == self.name
            else None
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, self.path, "exec"), module.__dict__)


def noticed(module: str, source: str) -> bool:
    """Whether some test fails with this source of the module; runs in a process of its own."""
    child = os.fork()
    if child == 0:
        _try(module, source)
    _, status = os.waitpid(child, 0)
    return status != 0


def _passes() -> bool:
    """Whether all tests pass with the sources as they are, loaded in the same way."""
    return not noticed("state.py", (RULES / "state.py").read_text(encoding="utf-8"))


def _try(module: str, source: str) -> None:
    """Run the tests, the likeliest first, and end the process: 0 if all passed."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.meta_path.insert(0, _Changed(module, source))
    first = next((tests for start, tests in FIRST_OF.items() if module.startswith(start)), FIRST)
    ahead = [f"tests/rules/{name}.py" for name in first]
    rest = [f"--ignore={name}" for name in ahead]
    options = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "not slow"]
    # Hypothesis is loaded already and needs no rewriting.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    try:
        passed = all(pytest.main([*options, *names]) == 0 for names in (ahead, ["tests/rules", *rest]))
    except BaseException:
        traceback.print_exc()
        passed = False
    os._exit(0 if passed else 1)


def _parsed(module: str) -> ast.Module:
    return ast.parse((RULES / module).read_text(encoding="utf-8"))


def run(
    say: Say,
    count: Annotated[int, "how many faults"],
    seed: int = 1,
    modules: Annotated[tuple[str, ...], "only these, instead of all of the rules"] = (),
) -> Figures:
    """Try a sample of all faults; `survived` are those that no test noticed."""
    names = modules or sorted(
        str(path.relative_to(RULES))
        for path in RULES.rglob("*.py")
        if path.name != "__init__.py" or path.parent.name == "why"
    )
    found = [
        (name, number, line, change)
        for name in names
        for number, (line, change) in enumerate(mutants(_parsed(name)))
    ]
    os.chdir(ROOT)
    if not _passes():
        raise SystemExit("the tests fail as they are: mend that first")
    tried: Counter[str] = Counter()
    survived: list[str] = []
    for name, number, line, change in random.Random(seed).sample(found, min(count, len(found))):
        tried[name] += 1
        tree = _parsed(name)
        next(islice(mutants(tree), number, None))
        if not noticed(name, ast.unparse(tree)):
            survived.append(f"{name}:{line}: {change}")
            say(f"survived: {survived[-1]}")
        say(f"{tried.total()} tried, {tried.total() - len(survived)} noticed")
    return {
        "tried": tried.total(),
        "noticed": tried.total() - len(survived),
        "possible": len(found),
        "seed": seed,
        "tried_by_module": dict(sorted(tried.items())),
        "survived": survived,
    }
