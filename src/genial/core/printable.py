"""Makes text from files, programs and servers safe for a terminal."""

from __future__ import annotations

import json
import re
import unicodedata


def printable(text: object) -> str:
    """A text on one line, with everything a terminal would obey or could not show escaped.

    That is every control character (escape sequences begin with one), line breaks, characters that change the
    writing direction, invisible and unassigned characters, and lone surrogates.

    >>> printable("Ada" + chr(27) + "[2J" + chr(0x202E) + chr(0xD800))
    'Ada\\\\x1b[2J\\\\u202e\\\\ud800'
    """
    found = str(text)
    if found.isprintable():
        return found
    return "".join(
        letter if letter.isprintable() or unicodedata.category(letter) == "Zs" else _written(letter)
        for letter in found
    )


def ascii_json(text: str) -> str:
    """JSON unchanged, except that characters beyond ASCII are written as JSON escapes.

    >>> ascii_json('{"name": "Zo\u00eb"}')
    '{"name": "Zo\\\\u00eb"}'
    """
    return re.sub("[^\x00-\x7f]", lambda letter: json.dumps(letter[0])[1:-1], text)


def _written(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
