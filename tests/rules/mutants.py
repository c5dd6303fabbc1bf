"""How many small faults in the rules the tests notice: `python -m tests.rules.mutants COUNT [SEED] [MODULE ...]`.

Takes a seeded sample of all single changes of the rules' modules (a comparison turned, a sum made a difference, `and`
made `or`, a number off by one, a condition negated, an answer dropped), each tried in a copy of the sources. Survivors
are listed with their line, to be looked at: a missing test, or a change that changes nothing.
"""

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = ROOT / "companion" / "tock_companion" / "rules"
TESTS = [
    "tests/rules/test_cardgame.py",
    "tests/rules/test_lines.py",
    "tests/rules/test_switches.py",
    "tests/rules",
]
SECONDS = 600
"""A mutant that takes longer hangs, which somebody would notice."""
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitXor: ast.BitOr,
}  # fmt: skip


def mutants(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yield line, what was changed and the changed source, for every single change."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Compare(ops=[op]) if type(op) in COMPARED:
                node.ops = [COMPARED[type(op)]()]
                yield line, f"{type(op).__name__} turned", ast.unparse(tree)
                node.ops = [op]
            case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in CALCULATED and not _is_type(node):
                node.op = CALCULATED[type(op)]()
                yield line, f"{type(op).__name__} changed", ast.unparse(tree)
                node.op = op
            case ast.BoolOp(op=op):
                node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
                yield line, f"{type(op).__name__} changed", ast.unparse(tree)
                node.op = op
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                node.test = ast.UnaryOp(ast.Not(), test)
                yield line, "condition negated", ast.unparse(tree)
                node.test = test
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                node.value = value + 1
                yield line, f"{value} plus one", ast.unparse(tree)
                node.value = value
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                node.value = ast.Constant(None)
                yield line, "answer dropped", ast.unparse(tree)
                node.value = value


def _is_type(node: ast.AST) -> bool:
    """Whether this is `X | None` in an annotation."""
    return isinstance(node, ast.BinOp) and any(
        isinstance(side, ast.Constant) and (side.value is None or isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def noticed(folder: Path, module: str, source: str) -> bool:
    """Whether some test fails with this source of the module."""
    target = folder / "tock_companion" / "rules" / module
    before = target.read_text(encoding="utf-8")
    target.write_text(source, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
    ]
    try:
        tried = subprocess.run(
            [*command, *TESTS], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(folder)}, timeout=SECONDS,
            capture_output=True, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    finally:
        target.write_text(before, encoding="utf-8")
    return tried.returncode != 0


def main(count: int, seed: int, modules: list[str]) -> None:
    """Try a sample and report the score."""
    names = modules or sorted(path.name for path in RULES.glob("*.py") if path.name != "__init__.py")
    found = [
        (name, *mutant)
        for name in names
        for mutant in mutants(ast.parse((RULES / name).read_text(encoding="utf-8")))
    ]
    tried: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        shutil.copytree(RULES.parent, folder / "tock_companion")
        for name, line, change, source in random.Random(seed).sample(found, min(count, len(found))):
            tried[name] += 1
            if noticed(folder, name, source):
                killed[name] += 1
            else:
                sys.stdout.write(f"survived: {name}:{line}: {change}\n")
            sys.stderr.write(f"\r{tried.total()} tried, {killed.total()} noticed ")
            sys.stdout.flush()
    for name in sorted(tried):
        sys.stdout.write(f"{name}: {killed[name]} of {tried[name]} noticed\n")
    sys.stdout.write(f"{killed.total()} of {tried.total()} noticed, {len(found)} possible, seed {seed}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1, sys.argv[3:])
