"""`tock run` with quotas that a fuzzer does not use up: `python -m tock_bench.fuzz.generous run`.

Other tests hold the quotas; here they would refuse most inputs unread.
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
    """The page's app without quotas."""
    app = create_app(*arguments)
    app.extensions["tock"].quotas = Quotas(**{share.name: Quota(ENOUGH, ENOUGH) for share in fields(Quotas)})
    return app


if __name__ == "__main__":
    setattr(tock_web, "create_app", generous)  # noqa: B010 - the service asks the package for it by name
    sys.exit(main())
