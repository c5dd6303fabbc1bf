"""Figures, fuzzer and studies of the checkout; shipped in no package."""

import os
import sys
from pathlib import Path

# Programs share the helpers of the tests, and so do the processes that they start.
_ROOT = str(Path(__file__).parents[2])
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (_ROOT, os.environ.get("PYTHONPATH"))))
