"""The database that some tools need."""

from tests.server.conftest import postgres

__all__ = ["postgres"]
