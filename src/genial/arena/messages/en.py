"""English."""

from __future__ import annotations

from genial.core.messages import Message

MESSAGES: dict[str, Message] = {
    "bots-count": "The number of bots doesn't match the seats: {got} named, {seats} needed. Name one for all, or one for each seat.",
    "games-count": "Use at least one game and one process.",
    "arena-bots": "An arena {mode} takes {fewest} to {most} bots, each named once. You named: {got}.",
    "arena-bots-exactly": "An arena {mode} takes exactly {most} bots, each named once. You named: {got}.",
    "arena-players": "The seats of {variant:edition} can't be shared out evenly (seats: {seats}, bots: {got}). `genial arena solo` is for solo editions, the other contests are for all others.",
    "arena-question": "This can't be tested: {problem}. Use a score and risks between 0 and 1.",
    "option-number": "{option} can't be {got}. Use a number above 0.",
    "arena-file": "{path} isn't an arena result: {problem}.",
    "arena-log-other": "{path} is the log of another contest. Name another file with --out.",
    "arena-log-busy": "Another run of this contest is writing {path}. Wait until it's done, or stop it.",
    "extra-missing": 'This needs {package}, which isn\'t installed: pip install "{install}".',
    "cluster-none": "There's no Ray cluster at {address}: {problem}.",
    "cluster-here": "{what} exists on this machine only. Leave it out, or leave out --ray.",
    "cluster-node": "A node of the cluster can't play: {problem}.",
    "cluster-lost": "The Ray cluster at {address} is gone. Finished games are saved: run the same command on another cluster to carry on.",
    "tuning-file": "{path} isn't a tuning result: {problem}.",
    "tuning-other": "{path} belongs to another tuning run. Name another file with --out.",
    "train-card": "There's no graphics card to learn on. {problem}",
    "train-part": "{option} can't be {got}. Use a number from 0 to 1.",
    "train-batch": "--batch can't be {got}. Use a multiple of {slice}.",
    "train-file": "{path} isn't a file of genial train: {problem}. Name another folder with --folder.",
    "bench-file": "{path} isn't an entry of Genial Bench: {problem}.",
    "bench-opponent": "{got} isn't an opponent of Genial Bench. Choose from: {expected}.",
    "bench-kernel": "{got} would play worse than their names say, because the fast kernel can't be used: {problem}",
}
