"""Packages that only some commands need, and that not everybody has installed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from genial.core.errors import SetupError


def extra(package: str) -> ModuleType:
    """The package; SetupError that says what to install where it is not there.

    >>> extra("json").__name__
    'json'
    >>> extra("no_such_package")
    Traceback (most recent call last):
    genial.core.errors.SetupError: no_such_package is not installed, and is needed for this: ...
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise SetupError("extra-missing", package=package) from None
