"""The benchmarks measure what browsers do: load clients speak like the recorded session of a browser."""

from __future__ import annotations

import asyncio
import doctest
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks import conversation
from benchmarks.conversation import NOW, Recording, read
from benchmarks.load_clients import Process, genial_server
from benchmarks.players import Player, spoken_by, unlike
from tests.server.listener import free_port


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A real server in its own process, as the benchmarks measure it."""
    found = genial_server(tmp_path_factory.mktemp("load"), free_port())
    yield found
    found.stop()


@pytest.fixture
def recording() -> Recording:
    found = read(NOW)
    assert found is not None, "`python benchmarks/record_conversation.py` records the browser's conversation"
    return found


def test_the_load_clients_send_what_a_browser_sends(server: Process, recording: Recording) -> None:
    async def play() -> list[str]:
        return await unlike(recording, server.door, await spoken_by(server.door))

    assert asyncio.run(play()) == []


def test_a_frame_that_a_browser_would_not_send_is_found(server: Process, recording: Recording) -> None:
    async def play() -> list[str]:
        speak = await spoken_by(server.door)
        do = speak.do

        def do_and_ask(self: Player, seq: int, action: str) -> None:
            do(self, seq, action)
            self.say(b'{"type":"resync"}')

        return await unlike(recording, server.door, type("Anxious", (speak,), {"do": do_and_ask}))

    found = asyncio.run(play())
    assert found
    assert all("mover" in difference for difference in found)


def test_every_recording_holds_whole_turns() -> None:
    for path in sorted(conversation.FOLDER.glob("*.json")):
        found = read(path.stem)
        assert found is not None
        assert path.stem in (NOW, found.commit), f"{path.name} was recorded at {found.commit}"
        for turn in found.turns:
            said = [line.what for line in turn["mover"]]
            assert [what for what in said if what.startswith("> act")] == ["> act place", "> act refill"]


def test_the_docstring_examples_hold() -> None:
    assert doctest.testmod(conversation).failed == 0


def test_a_missing_recording_is_read_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "FOLDER", tmp_path)
    assert read(NOW) is None
