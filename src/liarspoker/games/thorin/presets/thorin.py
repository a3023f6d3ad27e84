"""Preset of Thorin Style Liar's Poker: rules text, options and sample rounds."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.thorin.options import ThorinOptions
from liarspoker.games.thorin.presets import ThorinPreset
from liarspoker.language import N_

RULES = N_("""\
# Thorin Style Liar's Poker

One hand of five cards is passed around. The player who has it declares what it
is, truthfully or not. The last player left wins.

## Setup

Two to ten players and one deck of 52 cards; jokers are optional. One player
draws five cards, looks at them and is the active player. The next player
clockwise is under the gun.

## Declarations

The active player declares the hand, as vaguely or as exactly as they want: "a
pair", "a pair of sevens", "sevens over threes with a jack". A declaration
promises the weakest hand that fits it, and must promise more than the previous
one. "Two pair" promises 3-3-2-2-4, so "sevens over threes" may follow it, but
"threes over twos" may not. The first declaration must promise more than
7-5-4-3-2, the weakest hand of all.

## Responses

The player under the gun, without seeing the hand, takes it or challenges.

- Take: this player becomes the active player, looks at the hand, may replace up
  to five cards, and declares.
- Challenge: the hand is shown. If it is at least as good as the weakest hand
  that fits the declaration, the challenger is out; if not, the active player is
  out. The other one of the two begins the next round with a new hand.

A hand that is declared to be the best possible hand can't be taken.

## Hands, from the lowest

| hand                 | compared by                              |
|----------------------|------------------------------------------|
| high card            | the ranks, from high to low              |
| pair                 | the pair, then the kickers               |
| color flush          | the ranks; a pair in it doesn't count    |
| two pair             | the higher pair, the lower, the kicker   |
| three of a kind      | the three, then the kickers              |
| straight             | the highest card                         |
| flush                | the ranks, from high to low              |
| full house           | the three, then the pair                 |
| color straight flush | the highest card                         |
| four of a kind       | the four, then the kicker                |
| straight flush       | the highest card                         |
| five of a kind       | the rank; only possible with a joker     |

A color flush is five cards that are all red or all black. Suits and colors are
never compared. The ace is high, except in A-2-3-4-5.

## Stock

When the stock runs out, the earlier discards are shuffled into it. Every round
starts with a full deck.

## Variants

With `passes`, each player may pass once per match when under the gun; then the
next player is under the gun. If all other players pass, the hand is discarded
and the active player draws a new one. With `jokers`, a joker can be any card.
With `dealers_choice`, the player who begins a round chooses its rules.
""")

PRESET = ThorinPreset(
    id="thorin",
    title=N_("Thorin Style Liar's Poker"),
    badge=N_("Thorin style"),
    seats=(2, 10),
    source=N_("002, Thorin Style Liar's Poker"),
    summary=N_("One poker hand is passed around: take it and declare a better one, or challenge. The loser is out."),
    options=ThorinOptions(),
    emblem=("Ah", "??", "7c"),
    samples=(
        Sample(
            "sample",
            N_("A hand is passed around"),
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
            N_("A true declaration, challenged"),
            ("Annie", "Bart", "Chrissie", "Dirk", "Ellie"),
            {"deck": ["Ah", "Kd", "9d", "6h", "3d"], "actions": ["declare color-flush A", "challenge"]},
        ),
    ),
    rules_text=RULES,
)
