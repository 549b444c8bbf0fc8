"""A host's own limits, from a file or the command line. `settings.py` has the defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import msgspec

from genial.server.tables.errors import WrongSetup
from genial.server.tables.settings import Limits

_MAY_BE_ZERO = ("bot_pause", "bot_ending")
_LIKENESS = 0.7
"""How like a misspelt name another has to be, by difflib, to be suggested."""


def limits_from(chosen: Mapping[str, object], given: Sequence[str] = ()) -> Limits:
    """The defaults, changed by a file's keys and then by `name=value` texts.

    >>> limits_from({"chat_length": 100}, ["bot_pause=0"]).bot_pause
    0.0
    """
    wanted = dict(chosen)
    for text in given:
        name, _, value_text = (word.strip() for word in text.partition("="))
        if not (name and value_text):
            raise WrongSetup("limit-form", text=text)
        wanted[name] = value_text
    for name in wanted:
        if name not in Limits.__struct_fields__:
            if near := get_close_matches(name.lower(), Limits.__struct_fields__, 1, _LIKENESS):
                raise WrongSetup("limit-misspelt", name=name, meant=near[0])
            raise WrongSetup("limit-unknown", name=name)
    limits = Limits()
    for name, wish in wanted.items():
        try:
            value = getattr(msgspec.convert({name: wish}, Limits, strict=False), name)
        except msgspec.ValidationError:
            raise WrongSetup("limit-value", problem=f"{name} = {wish}") from None
        if value < 0 or (name not in _MAY_BE_ZERO and not value):
            raise WrongSetup("limit-value", problem=f"{name} = {value}")
        limits = msgspec.structs.replace(limits, **{name: value})
    return limits
