"""A family from another package with elimination: the player who is wrong loses a bead, and the last one left wins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from liarspoker.core.catalogue import GamePreset, Sample
from liarspoker.core.errors import UNREADABLE_ACTION, IllegalAction
from liarspoker.core.option_info import OptionInfo
from liarspoker.core.simple import (
    HandDraw,
    SimpleFamily,
    SimpleLegal,
    SimpleOptions,
    SimplePreset,
    SimpleSession,
    SimpleView,
)

COLORS = ("red", "green", "blue")
LETTERS = "RGB"
GLASS = "*"
DOUBT, EXACT = -1, -2
ANSWERS = {"doubt": DOUBT, "exact": EXACT}


@dataclass(frozen=True, slots=True)
class BeadOptions(SimpleOptions):
    beads: int = 3
    glass: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BeadSession(SimpleSession):
    options: BeadOptions = BeadOptions()
    to_act: int | None = None

    @property
    def left(self) -> tuple[int, ...]:
        return tuple(max(self.options.beads - lost, 0) for lost in self.losses)

    @property
    def alive(self) -> tuple[int, ...]:
        return tuple(seat for seat, beads in enumerate(self.left) if beads)

    def draw(self) -> HandDraw:
        return HandDraw(LETTERS + GLASS * self.options.glass, self.left)

    def begin_round(self, hands: tuple[str, ...], opener: int) -> BeadSession:
        return replace(self, to_act=opener)

    def next_alive(self, seat: int) -> int:
        return next(
            other % self.seats for other in range(seat + 1, seat + 1 + self.seats) if other % self.seats in self.alive
        )

    def after(self, action: int) -> BeadSession:
        assert self.to_act is not None
        if action >= 0:
            return replace(self, to_act=self.next_alive(self.to_act))
        loser = self.loser_of(self.to_act, action)
        return replace(self, to_act=None, losses=tuple(lost + (seat == loser) for seat, lost in enumerate(self.losses)))

    def legal_actions(self) -> SimpleLegal:
        claims = len(COLORS) * sum(map(len, self.hands))
        if self.claim is None:
            return SimpleLegal(range(claims))
        return SimpleLegal(range(self.claim + 1, claims), (DOUBT, EXACT))

    def read(self, text: str) -> int:
        if text in ANSWERS:
            return ANSWERS[text]
        claim = re.fullmatch("([1-9][0-9]?) (red|green|blue)", text)
        if claim is None:
            raise IllegalAction(text, UNREADABLE_ACTION)
        return len(COLORS) * (int(claim[1]) - 1) + COLORS.index(claim[2])

    def write(self, action: int) -> str:
        if action < 0:
            return "doubt" if action == DOUBT else "exact"
        return f"{action // len(COLORS) + 1} {COLORS[action % len(COLORS)]}"

    @property
    def found(self) -> int:
        assert self.claim is not None
        pool = "".join(self.hands)
        return pool.count(LETTERS[self.claim % len(COLORS)]) + pool.count(GLASS)

    def loser_of(self, seat: int, answer: int) -> int:
        assert self.claim is not None
        assert self.claimant is not None
        claimed = self.claim // len(COLORS) + 1
        right = self.found < claimed if answer == DOUBT else self.found == claimed
        return self.claimant if right else seat

    @property
    def loser(self) -> int:
        return self.loser_of(*self.moves[-1])

    def payoffs(self) -> tuple[int, ...]:
        assert self.claimant is not None
        answered = self.moves[-1][0]
        winner = answered if self.loser == self.claimant else self.claimant
        return tuple((seat == winner) - (seat == self.loser) for seat in range(self.seats))

    def result_text(self) -> list[str]:
        return [f"There are {self.found}; {{{self.loser}}} loses a bead"]

    @property
    def next_opener(self) -> int | None:
        if self.winner is not None:
            return None
        if not self.rounds or self.in_play:
            return self.alive[0]
        return self.loser if self.loser in self.alive else self.next_alive(self.loser)


class Beads(SimpleFamily):
    name = "beads"
    session = BeadSession
    bots: ClassVar[Mapping[str, str]] = {"beginner": "beads:careful"}
    presets: ClassVar[tuple[GamePreset, ...]] = (
        SimplePreset(
            id="beads",
            title="Beads",
            family="beads",
            seats=(2, 5),
            source="this file",
            summary="Claim how many beads of a color all bags hold; the player who is wrong loses a bead.",
            has_winner=True,
            rules_text="# Beads\n\nClaim how many beads of a color all bags hold, doubt a claim, or call it exact.\n",
            options=BeadOptions(),
            samples=(
                Sample("sample", "A round", ("Ann", "Ben"), {"deal": ["RRG", "G*B"], "actions": ["4 red", "doubt"]}),
                Sample("open", "An unfinished round", ("Ann", "Ben"), {"deal": ["RRG", "G*B"], "actions": ["4 red"]}),
            ),
            option_infos=(
                OptionInfo("beads", range(1, 7), "number of beads of each player at the start", "this file"),
                OptionInfo("glass", (False, True), "glass beads count as any color", "this file"),
            ),
        ),
    )


def careful(view: SimpleView, chance: Random) -> int:
    """Claim what the hand contains; otherwise doubt."""
    for action in view.legal.claims:
        held = sum(bead in (LETTERS[action % len(COLORS)], GLASS) for bead in view.hand)
        if action // len(COLORS) < held:
            return action
    return view.legal.answers[0] if view.legal.answers else view.legal.claims[0]


FAMILY = Beads()
