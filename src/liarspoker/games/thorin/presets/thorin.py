"""Thorin Style Liar's Poker: everything that makes it a game of its own."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.thorin.options import ThorinOptions
from liarspoker.games.thorin.presets import ThorinPreset

RULES = """\
# Thorin Style Liar's Poker

One hand of five cards goes around. Whoever has it says what it is, and need
not tell the truth. The last player left wins.

## Setup

Two to ten players, one deck of 52 cards, jokers if you like. One player draws
five cards, looks at them and is the active player. The next player clockwise
is under the gun.

## Declarations

The active player declares the hand, as vaguely or as exactly as he wants: "a
pair", "a pair of sevens", "sevens over threes with a jack". A declaration
promises the worst hand that fits it. It must promise more than the one before
it: "two pair" promises 3-3-2-2-4, so "sevens over threes" may follow, "threes
over twos" may not. The first must promise more than 7-5-4-3-2, the worst hand
of all; the lowest is "seven-six high".

## Answers

The player under the gun has not seen the hand. He takes it or challenges.

- Take: he is the active player now, looks, throws up to five cards face down,
  draws as many, and declares.
- Challenge: the hand is shown. If it is as good as the worst hand that fits
  the declaration, or better, the challenger is out; otherwise the active
  player is. The other of the two begins the next round with a new hand.

Nobody can take a hand that is declared to be the best of all.

## Hands, from the lowest

| hand                 | what decides                        |
|----------------------|-------------------------------------|
| high card            | the ranks from high to low          |
| pair                 | the pair, then the others           |
| color flush          | the ranks; a pair in it is no pair  |
| two pair             | the higher pair, the lower, the odd |
| three of a kind      | the three, then the others          |
| straight             | the highest card                    |
| flush                | the ranks from high to low          |
| full house           | the three, then the two             |
| color straight flush | the highest card                    |
| four of a kind       | the four, then the odd card         |
| straight flush       | the highest card                    |
| five of a kind       | the rank; it takes a joker          |

A color flush is five cards all red or all black. Suits and color never
decide. The ace is high, and low in A-2-3-4-5.

## Stock

When the stock runs out, the earlier discards are shuffled into it, never the
cards just thrown. Every round starts with the full deck.

## Variants

With `passes`, each player under the gun may pass once in the match: the next
player is under the gun. If all pass, the hand is thrown in and the active
player draws a new one. With `jokers`, a joker is any card. With
`dealers_choice`, whoever begins a round names its rules.
"""

PRESET = ThorinPreset(
    id="thorin",
    title="Thorin Style Liar's Poker",
    badge="Thorin style",
    seats=(2, 10),
    source="002, Thorin Style Liar's Poker",
    summary="One poker hand goes around: take it and declare better, or challenge. Who is wrong is out.",
    options=ThorinOptions(),
    emblem=("Ah", "??", "7c"),
    samples=(
        Sample(
            "sample",
            "A hand goes around",
            ("Annie", "Bart", "Chrissie", "Dirk", "Ellie"),
            {
                "deck": ["7c", "7d", "3h", "3s", "Kc", "Jc", "Qh", "6d", "2d"],
                "actions": [
                    "declare two-pair",
                    "take",
                    "discard Kc",
                    "declare two-pair 73",
                    "take",
                    "discard -",
                    "declare two-pair 73J",
                    "take",
                    "discard 3h3sJc",
                    "declare three",
                    "challenge",
                ],
            },
        ),
        Sample(
            "truth",
            "The truth, and not believed",
            ("Annie", "Bart", "Chrissie", "Dirk", "Ellie"),
            {"deck": ["Ah", "Kd", "9d", "6h", "3d"], "actions": ["declare color-flush A", "challenge"]},
        ),
    ),
    rules_text=RULES,
)
