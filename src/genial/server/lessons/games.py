"""The games that lessons are taken from: a seed and the moves, so that every position has a real past."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Game:
    """A game as far as a lesson needs it."""

    seats: int
    seed: str
    moves: tuple[str, ...]


def _game(seats: int, seed: int, moves: str) -> Game:
    return Game(seats, str(seed), tuple(moves.split()))


GAMES: dict[str, Game] = {
    "classic": _game(
        2,
        11,
        """
        OO@k5,j6 refill BB@f10,e10 refill YB@f9,e9 refill OO@i7,i6 refill OY@h8,g8 refill YB@g9,g10
        refill PP@f2,e1 refill YB@e8,d8 refill PP@g2,f3 refill RP@e3,f4 refill PP@g3,h2 refill GP@i1,i2
        refill OO@h6,h7 refill GB@b7,c7 refill GB@c8,d9 refill YG@c6,b6 refill RR@b2,a2 swap RO@c3,d3
        refill YY@d7,e7 refill RY@c2,c1 refill RR@e2,d2 refill GP@j1,j2 refill YG@b5,a5 refill OP@j3,k2
        RO@h5,g6 refill RG@a3,a4 refill RB@b3,c4 refill PP@h3,g4 OB@i8,h9 swap YP@f8,f7 refill YY@d6,c5
        OY@f6,e6 RB@d4,d5 refill OG@g1,h1 refill RY@e5,e4 refill OB@j5,i5 refill OB@k3,j4 refill
        RO@f5,g5 refill
        """,
    ),
    "classic-team": _game(
        4,
        2,
        """
        RR@d4,d3 refill OO@n7,n8 refill RY@l5,l4 refill OG@d10,d9 refill GG@d8,e9 refill OG@c10,c9
        refill OG@e10,f10 refill RR@e4,e5 refill RO@e3,e2 refill RG@b6,c7 refill OG@f11,g11 refill
        RP@f3,g3 refill OG@g12,h12 refill OB@f12,g13 refill YG@i11,i12 OB@e12,f13 swap YG@j11,j12 refill
        PP@h2,g2 refill OG@b9,b8 BB@h14,g14 refill BB@i14,h15 swap OO@e11,d11 refill YG@k11,k12 refill
        RP@f4,g4 refill RR@f6,f5 refill RO@a7,a8 OP@h1,g1 refill YY@i10,h11 refill YY@h10,g10 refill
        RO@f2,e1 YP@j2,i2 refill YB@j13,i13 refill YB@f9,g9 refill YG@e8,d7 refill YY@l11,l10 PP@i3,h4
        refill RY@f7,f8 refill
        """,
    ),
    "classic-solo": _game(
        1,
        1,
        """
        GG@b6,a5 YP@d1,e1 RB@b1,c2 RG@b2,c3 BP@d2,e2 YG@d7,c7 OY@e7,e8 GB@d4,d3 YB@f9,f10 RB@a2,b3
        RP@f3,f2 BP@e4,e3 YG@c6,b5 GB@e5,f5 YY@g9,g8 RG@a3,a4 GG@c8,b7 RR@g3,f4 GG@c4,b4 RY@g10,h9
        GP@g2,g1 RP@h2,h1 RR@h3,g4 RB@h4,g5
        """,
    ),
    "travel": _game(
        2,
        1,
        """
        PP@f2,e1 refill BB@g10,f10 refill OB@e8,f9 refill PP@e2,f3 refill YP@d2,d1 refill OB@d8,e9
        refill OG@c8,b7 refill OO@d7,c7 refill
        """,
    ),
    "3d": _game(
        2,
        2,
        """
        RY@b4,b3 refill RB@c6,d7 refill OP@f2,g2 refill BP@h4,h3 refill GP@f4,g3 refill RB@c5,d6 refill
        GB@e5,d5 refill YB@c3,d4 refill YB@c2,d3 refill OB@d1,d2 refill OG@g2,g3 swap RG@c5,d5 refill
        YG@d4,e5 refill OY@d2,d3 refill OY@e3,e4 refill OY@e2,e3 refill RG@d5,e5 swap GP@f5,g4 refill
        RY@a4,a3 refill BP@i3,i2 refill GP@f4,f5 refill OY@e3,d3 refill BP@e7,e6 refill YP@f4,g3
        RP@d6,e6 swap RP@c5,d6 refill BP@i3,h3 RG@d6,d5 refill
        """,
    ),
    "3d-solo": _game(
        1,
        2,
        """
        OP@f2,g2 RY@b4,b3 OG@g4,g5 YG@f7,g6 YG@e7,f6 RB@c6,d7 YP@i3,i2 RB@c5,d6 OY@g5,f6 BP@d8,e9
        GP@e2,f2 YB@e7,d7 YG@g7,h6 RG@b6,c7 GB@f6,e7 OB@f5,e6 YB@b4,c5 OY@h5,g6 OP@h4,h3 RP@c7,d8
        OY@g5,g6 YP@i2,h2 OB@g5,f6 RG@c6,d6 YG@i4,i5 GP@d7,c7
        """,
    ),
    "cards": _game(
        2,
        3,
        """
        YR refill RO refill OR refill BO refill YB refill RB refill BO refill YP refill BP refill PR
        refill PO refill GY refill GP refill BG refill GY refill YG refill GB refill PB refill RB refill
        YP refill RG refill RY refill YP refill OP refill OY refill OY refill
        """,
    ),
    "duel": _game(
        2,
        3,
        """
        BB@g10,f10 refill RR@b2,b1 refill BB@e10,e9 refill RR@c3,b3 refill RP@d4,e4 refill RB@e5,e6
        refill RO@f6,f5 refill BP@f9,f8 refill RP@g6,g7 refill GB@d8,d9 swap
        """,
    ),
}
