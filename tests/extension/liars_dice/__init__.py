"""Liar's dice, a family of games in a package of its own: hidden dice, bids on how many show a face, a challenge."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.core.option_info import OptionInfo
from liarspoker.core.simple import SimpleFamily, SimpleRow

from .session import DiceOptions, DiceSession

OPTIONS = (
    OptionInfo("dice", range(1, 7), "how many dice each player rolls", "this package"),
    OptionInfo("wild_ones", (False, True), "ones count as every face", "this package"),
)

GAMES = (
    SimpleRow(
        id="liars-dice",
        title="Liar's Dice",
        family="dice",
        seats=(2, 6),
        source="this package",
        summary="Hidden dice, bids on how many of them show a face, and a unit for whoever was right.",
        emblem=("slip",),
        options=DiceOptions(),
        option_infos=OPTIONS,
        rules_text="# Liar's Dice\n\nBid on how many dice show a face: 2x5 says that there are two fives.\n",
        samples=(
            Sample("sample", "A hand", ("Ann", "Ben"), {"deal": ["125", "555"], "actions": ["1x5", "4x5", "liar"]}),
        ),
    ),
)


class Dice(SimpleFamily):
    """The dice games."""

    name = "dice"
    rows = GAMES
    session = DiceSession


FAMILY = Dice()
