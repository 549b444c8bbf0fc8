"""One server for all tests that don't set limits of their own, and one database server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.codes import FOR_PROGRAMS, bare
from tests.server import postgres as pg
from tests.server.harness import InThread, Server, running

from genial.core.errors import GenialError
from genial.core.messages import LANGUAGES
from genial.server.http.static import built


# For one module at a time: tests of other packages, which may run in between, ask for other errors.
@pytest.fixture(scope="module", autouse=True)
def no_code_is_told() -> Iterator[None]:
    """Whatever a test makes the server refuse is said in words, in every language."""
    said = GenialError.text

    def checked(error: GenialError, language: str = "en") -> str:
        if error.code not in FOR_PROGRAMS:
            told = {each: said(error, each) for each in LANGUAGES}
            assert not any(bare(*each) for each in told.items()), told
        return said(error, language)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GenialError, "text", checked)
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server") / "genial.db", workers=2) as found:
        yield found


@pytest.fixture
def alone(server: Server) -> InThread:
    """The same server, for tests that look inside it."""
    if not isinstance(server, InThread):
        pytest.skip("looks into the memory and the sockets of one server, and here is none in this process")
    return server


@pytest.fixture
def client_built() -> None:
    if not built():
        pytest.skip("the browser client is not built: `make web` builds it")


@pytest.fixture(scope="session")
def postgres() -> pg.Postgres:
    """A real PostgreSQL server, or the reason why there is none."""
    try:
        return pg.shared()
    except pg.CannotStart as error:
        pytest.skip(str(error))
