"""A store whose every method is a program of `statements`; kinds of stores differ in how they run them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import ParamSpec, TypeVar

from genial.server.store import analyses, statements
from genial.server.store.interface import (
    Ban,
    BanKind,
    Credential,
    NewEntry,
    Result,
    Status,
    StoredAnalysis,
    StoredEntry,
    TableRow,
)
from genial.server.store.statements import Program

_P = ParamSpec("_P")
_T = TypeVar("_T")


class ProgramStore(ABC):
    """The methods of a `Store` over two that run programs."""

    @abstractmethod
    async def _read(self, make: Callable[_P, Program[_T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run a program that changes nothing."""

    @abstractmethod
    async def _write(self, make: Callable[_P, Program[_T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run a program inside a transaction; returns when that is durable."""

    async def append(
        self,
        game: str,
        first_seq: int,
        entries: Sequence[NewEntry],
        row: TableRow | None = None,
        credentials: Sequence[Credential] = (),
        result: Result | None = None,
    ) -> None:
        if any(part.game != game for part in (*credentials, row, result) if part is not None):
            raise ValueError(f"a row, credential or result of another table than {game}")
        await self._append(game, first_seq, entries, row, credentials, result)

    async def _append(
        self,
        game: str,
        first_seq: int,
        entries: Sequence[NewEntry],
        row: TableRow | None,
        credentials: Sequence[Credential],
        result: Result | None,
    ) -> None:
        await self._write(statements.append, game, first_seq, entries, row, credentials, result)

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[StoredEntry]:
        return await self._read(statements.read, game, after, limit)

    async def move(self, game: str, move_id: str) -> int | None:
        return await self._read(statements.move, game, move_id)

    async def table(self, game: str) -> TableRow | None:
        return await self._read(statements.table, game)

    async def table_by_code(self, code: str) -> TableRow | None:
        return await self._read(statements.table_by_code, code)

    async def tables(
        self,
        status: Status | None = None,
        public: bool | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
    ) -> list[TableRow]:
        return await self._read(statements.tables, status, public, limit, before)

    async def games_of(self, device_hash: bytes, limit: int = 100) -> list[TableRow]:
        return await self._read(statements.games_of, device_hash, limit)

    async def stale(self, status: Status, updated_before: int, limit: int = 100) -> list[TableRow]:
        return await self._read(statements.stale, status, updated_before, limit)

    async def count_live(self, updated_after: int) -> int:
        return await self._read(statements.count_live, updated_after)

    async def delete(self, game: str) -> None:
        await self._write(statements.delete, game)

    async def credential(self, token_hash: bytes) -> list[Credential]:
        return await self._read(statements.credential, token_hash)

    async def credentials_of(self, game: str) -> list[Credential]:
        return await self._read(statements.credentials_of, game)

    async def revoke(self, token_hash: bytes, game: str) -> None:
        await self._write(statements.revoke, token_hash, game)

    async def ban(self, kind: BanKind, key_hash: bytes, until: int | None) -> None:
        await self._write(statements.ban, kind, key_hash, until)

    async def unban(self, kind: BanKind, key_hash: bytes) -> None:
        await self._write(statements.unban, kind, key_hash)

    async def banned(self, key_hash: bytes, now: int) -> bool:
        return await self._read(statements.banned, key_hash, now)

    async def bans(self) -> list[Ban]:
        return await self._read(statements.bans)

    async def add_result(self, result: Result) -> None:
        await self._write(statements.add_result, result)

    async def results(self, device_hash: bytes, variant: str, limit: int = 100) -> list[Result]:
        return await self._read(statements.results, device_hash, variant, limit)

    async def all_results(self, after: Result | None = None, limit: int = 1000) -> list[Result]:
        return await self._read(statements.all_results, after, limit)

    async def put_snapshot(self, game: str, seq: int, data: bytes) -> None:
        await self._write(statements.put_snapshot, game, seq, data)

    async def snapshot(self, game: str) -> tuple[int, bytes] | None:
        return await self._read(statements.snapshot, game)

    async def begin_analysis(
        self, new: StoredAnalysis, most: int, living: Collection[str]
    ) -> StoredAnalysis | None:
        return await self._write(analyses.begin, new, most, living)

    async def analysis(self, analysis: str) -> StoredAnalysis | None:
        return await self._read(analyses.one, analysis)

    async def take_analysis(self, analysis: str, before: str, thinker: str) -> bool:
        return await self._write(analyses.take, analysis, before, thinker)

    async def put_opinions(self, analysis: str, thinker: str, done: int, data: bytes) -> bool:
        return await self._write(analyses.put, analysis, thinker, done, data)

    async def forget_analyses(self, made_before: int) -> int:
        return await self._write(analyses.forget, made_before)
