"""Benches as `tock bench` runs them, in this process."""

import io
import json
import os
import sys
from contextlib import redirect_stdout
from typing import Any

from tock_app.cli.main import main


def figures_of(*arguments: str) -> Any:
    """The figures that a bench prints; asserts that it found no fault."""
    path, of_children = list(sys.path), os.environ.get("PYTHONPATH")
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            assert main(["bench", *arguments, "--json"]) == 0
    finally:
        # Programs that use the tests' helpers put the checkout onto the path.
        sys.path[:] = path
        os.environ.pop("PYTHONPATH", None)
        if of_children is not None:
            os.environ["PYTHONPATH"] = of_children
    return json.loads(printed.getvalue())["figures"]
