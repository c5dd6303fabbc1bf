"""`tock run` with shares that a fuzzer does not use up: `python -m tock_bench.fuzz.generous run`.

The shares have tests of their own; here they would turn everything away before anybody reads it.
"""

import sys
from dataclasses import fields
from typing import Any

from flask import Flask

import tock_web
from tock_app.cli.main import main
from tock_web.limits.quotas import Quota, Quotas

ENOUGH = 1e9
create_app = tock_web.create_app


def generous(*arguments: Any) -> Flask:
    """The page's app, which turns nobody away for asking too much."""
    app = create_app(*arguments)
    app.extensions["tock"].quotas = Quotas(**{share.name: Quota(ENOUGH, ENOUGH) for share in fields(Quotas)})
    return app


if __name__ == "__main__":
    setattr(tock_web, "create_app", generous)  # noqa: B010 - the service asks the package for it by name
    sys.exit(main())
