"""Flask as all apps here use it: with log lines that nobody can forge, and a lighter start."""

import logging
from types import CodeType
from typing import Any, ClassVar, NoReturn

from flask import Flask, request
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from tock_companion.errors import escaped

log = logging.getLogger(__name__)


class MatchedRule(Rule):
    """A route that only matches requests; preparing to build addresses took most of an app's start."""

    def _compile_builder(self, append_unknown: bool = True) -> Any:  # noqa: ARG002
        return _no_address


def _no_address(rule: MatchedRule, **values: object) -> NoReturn:
    raise NotImplementedError(f"{rule.rule}: addresses are written out here, not made from routes")


class CompiledTemplates(BytecodeCache):
    """Templates compiled once for all apps of a process: another board means another app."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Return a template as it was compiled for an earlier app."""
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template for the next app."""
        self._compiled[bucket.key, bucket.checksum] = bucket.code


class TockFlask(Flask):
    """Flask with log lines that nobody outside can forge."""

    url_rule_class = MatchedRule
    jinja_options: ClassVar[dict[str, Any]] = {"bytecode_cache": CompiledTemplates()}  # type: ignore[misc]

    def log_exception(self, exc_info: Any) -> None:
        """Log an internal error with the path escaped: a line break in it would begin a line of the log."""
        log.error("%s %s failed", request.method, escaped(request.path), exc_info=exc_info)
