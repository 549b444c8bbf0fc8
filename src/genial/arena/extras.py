"""Packages that only some commands need and not everybody has installed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from genial.arena.errors import WrongContest


def extra(package: str, install: str = "genial[cluster]") -> ModuleType:
    """The package; raises a SetupError that says what to install if it is missing.

    >>> extra("json").__name__
    'json'
    >>> extra("no_such_package")
    Traceback (most recent call last):
    genial.arena.errors.WrongContest: This needs no_such_package, which isn't installed: ...
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise WrongContest("extra-missing", package=package, install=install) from None
