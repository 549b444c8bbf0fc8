"""English."""

from __future__ import annotations

from genial.core.messages import Message

MESSAGES: dict[str, Message] = {
    "bot-random": "Random",
    "bot-greedy": "Greedy",
    "bot-balanced": "Balanced",
    "bot-level-1": "Pip",
    "bot-level-2": "Otto",
    "bot-level-3": "Juno",
    "bot-level-4": "Mira",
    "bot-level-5": "Enzo",
    "bot-level-6": "Ada",
    "bot-level-1-level": "Beginner",
    "bot-level-2-level": "Casual",
    "bot-level-3-level": "Regular",
    "bot-level-4-level": "Advanced",
    "bot-level-5-level": "Expert",
    "bot-level-6-level": "Master",
    "bot-level-1-character": "Cheerful, takes the biggest number and overlooks lines",
    "bot-level-2-character": "Easy-going, minds the lowest colour and misses a line now and then",
    "bot-level-3-character": "Patient, never misses a line and keeps every colour going",
    "bot-level-4-character": "Curious, tries a dozen moves to see where they lead",
    "bot-level-5-character": "Thorough, thinks of thousands of ways a game could go on",
    "bot-level-6-character": "Far-sighted, and counts the last moves out to the end",
    "bot-random-character": "Does anything that's allowed",
    "bot-greedy-character": "Takes the most points, whatever the colour",
    "bot-balanced-character": "Brings all colours forward evenly",
    "bot-level-1-looks": "Looks at one move, and only at symbols nearby",
    "bot-level-2-looks": "Looks at one move, and at symbols a little further away",
    "bot-level-3-looks": "Looks at one move and your best answer to it",
    "bot-looks-ahead": "Tries out {width} moves and looks ahead {nodes} times",
    "bot-unknown": "There's no bot called “{name}”. Choose {expected:or}.",
    "bot-untunable": "{name} has nothing to tune. Choose {expected:or}.",
    "knob-unknown": "{bot} has no parameter called {name}. Choose {expected:or}.",
    "knob-value": "The parameter {name} can't be {got}. Use a number from {low} to {high}.",
    "program-unreadable": "“{text}” isn't a command. Write a program and its arguments, as in a shell.",
    "program-name": "“{text}” doesn't name a program. Write NAME=COMMAND, with a name of 1 to 40 letters and digits other than {taken:and}.",
    "program-failed": "The program {name} failed: {problem}.",
}
