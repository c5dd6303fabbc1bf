"""Names the argument that has the wrong type, at the public names of the library."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from types import FunctionType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tock_rules.errors import BadInputError, quoted

Check = Callable[[Any], bool]
_FAILURES = (TypeError, AttributeError, ValueError, LookupError)


def guard(names: Mapping[str, Any]) -> dict[str, Any]:
    """The functions among these names, checked; the methods of the classes are checked in place."""
    guarded: dict[str, Any] = {}
    for name, value in names.items():
        if isinstance(value, type):
            _guard_methods(value)
        elif callable(value) and inspect.unwrap(value).__module__.startswith("tock_rules."):
            guarded[name] = _checked(value)
    return guarded


def _guard_methods(owner: type) -> None:
    for base in owner.__mro__:
        if not base.__module__.startswith("tock_rules."):
            continue
        for name, member in list(vars(base).items()):
            function = member.__func__ if isinstance(member, classmethod) else member
            if (
                name.startswith("_")
                or not isinstance(function, FunctionType)
                or hasattr(function, "__wrapped__")
            ):
                continue
            checked = _checked(function, late=True)
            setattr(base, name, classmethod(checked) if isinstance(member, classmethod) else checked)


def _checked(function: Callable[..., Any], *, late: bool = False) -> Callable[..., Any]:
    """The function, which raises `BadInputError` for an argument that does not fit its annotation.

    Late: only after it has failed, so that a method which is called a million times costs no more.
    """
    hints = get_type_hints(inspect.unwrap(function))
    parameters = inspect.signature(function).parameters
    checks = {
        name: (_check(hints[name]), hints[name])
        for name in parameters
        if name in hints and hints[name] not in (object, Any)
    }

    def check(args: tuple[Any, ...], options: Mapping[str, Any]) -> None:
        for name, value in (*zip(parameters, args, strict=False), *options.items()):
            fits, hint = checks.get(name, (None, None))
            if fits is not None and not fits(value):
                raise BadInputError(f"{function.__qualname__}: {name} is {_named(hint)}, not {quoted(value)}")

    @wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        check(args, options)
        return function(*args, **options)

    @wraps(function)
    def checked_late(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except _FAILURES:
            check(args, options)
            raise

    return checked_late if late else checked


def _check(hint: Any) -> Check:
    """Whether a value fits an annotation; what an iterator gives is not looked at, as that would use it up."""
    origin, inner = get_origin(hint), get_args(hint)
    if isinstance(hint, TypeVar) or hint is Any:
        return lambda _: True
    if hint is None or hint is type(None):
        return lambda value: value is None
    if origin is Literal:
        return lambda value: value in inner
    if origin in (Union, UnionType):
        checks = [_check(one) for one in inner]
        return lambda value: any(check(value) for check in checks)
    if origin is None:
        return lambda value: isinstance(value, hint)
    if issubclass(origin, Mapping):
        key, entry = map(_check, inner)
        return lambda value: isinstance(value, origin) and all(key(k) and entry(v) for k, v in value.items())
    if origin is tuple and inner[-1:] != (...,):
        checks = [_check(one) for one in inner]
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(checks)
            and all(check(item) for check, item in zip(checks, value, strict=True))
        )
    if origin is Callable or not inner:
        return lambda value: isinstance(value, origin)
    each = _check(inner[0])
    return lambda value: (
        isinstance(value, origin)
        and not isinstance(value, str | bytes)
        and (isinstance(value, Iterator) or all(each(item) for item in value))
    )


def _named(hint: Any) -> str:
    """An annotation for people: `Seat`, `text or None`, `list of Card`."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is None or hint is type(None):
        return "None"
    if origin in (Union, UnionType):
        return " or ".join(map(_named, inner))
    if origin is Literal:
        return " or ".join(map(str, inner))
    if origin is None:
        return {str: "a text", int: "a number", bool: "true or false"}.get(hint, f"a {hint.__name__}")
    if issubclass(origin, Mapping):
        return f"a mapping of {' to '.join(map(_named, inner))}"
    return f"a list of {_named(inner[0])}" if inner else f"a {origin.__name__}"
