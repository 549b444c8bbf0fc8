"""Programs: what a store asks and changes, written once for every kind of database.

A program yields statements, receives their rows, and returns its answer. SQLite's runner runs it in a thread,
PostgreSQL's on the event loop. Parameters are written `?`; PostgreSQL's runner numbers them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Generator, Sequence
from functools import partial, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Ask(NamedTuple):
    """One statement. `values` are its parameters, or with `many` a sequence of them, one for each run."""

    sql: str
    values: Sequence[Any] = ()
    many: bool = False


Rows: TypeAlias = Sequence[Sequence[Any]]
Program: TypeAlias = Generator[Ask, Rows, _T]
Make: TypeAlias = Callable[[], Program[_T]]
"""Makes a program, which is run again from the start if another process was faster."""


class Runner(ABC):
    """A database that runs programs."""

    @abstractmethod
    async def _read(self, make: Make[_T]) -> _T:
        """Run a program that changes nothing."""

    @abstractmethod
    async def _write(self, make: Make[_T]) -> _T:
        """Run a program inside a transaction; returns when that is durable."""


_R = TypeVar("_R", bound=Runner)
_Written: TypeAlias = Callable[Concatenate[_R, _P], Program[_T]]
_Called: TypeAlias = Callable[Concatenate[_R, _P], Coroutine[Any, Any, _T]]


def reads(program: _Written[_R, _P, _T]) -> _Called[_R, _P, _T]:
    """A method written as a program that changes nothing."""

    @wraps(program)
    async def method(runner: _R, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await runner._read(partial(program, runner, *args, **kwargs))

    return method


def writes(program: _Written[_R, _P, _T]) -> _Called[_R, _P, _T]:
    """A method written as a program that changes something."""

    @wraps(program)
    async def method(runner: _R, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await runner._write(partial(program, runner, *args, **kwargs))

    return method
