"""Playing on from a ply of a finished round, with another action, against bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from liarspoker.bots import catalogue as bots
from liarspoker.bots.protocol import Bot
from liarspoker.core.catalogue import GamePreset
from liarspoker.core.errors import IllegalAction, LiarsPokerError
from liarspoker.core.session import Session
from liarspoker.language import _
from liarspoker.records.family import record_format
from liarspoker.records.reader import Replay
from liarspoker.records.words import YOU, capital
from liarspoker.web.view_models.plain import MOST_BUTTONS, pages_for
from liarspoker.web.view_models.round_replay import ALL, RoundReplay, round_replay
from liarspoker.web.words import sentence

STRONGEST = ("champion", "bluffer", "uniform")
"""The bots that play on, the first of them that plays the game."""

MOST_ACTIONS = 200
"""The maximum number of the reader's actions; no round is that long unless someone bids one step at a time."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A round that is played on.

    Attributes:
        seat: the reader's seat.
        since: the ply from which it is played on.
        actions: the reader's actions, in notation.
        choices: some legal actions of the reader, in notation and in words; empty once the round is over.
        example: another legal action, which must be typed; empty if all of them are choices.
        wrong: why the last action isn't legal; empty if it is.
        bot: the title of the bot that everybody else plays as.
        are_drawn: what the record hides was drawn at random.
        outcome: how the round ends, as sentences; empty before.
        real: how it really ended.
    """

    seat: int
    since: int
    actions: tuple[str, ...]
    choices: tuple[tuple[str, str], ...]
    example: str
    wrong: str
    bot: str
    are_drawn: bool
    outcome: tuple[str, ...]
    real: tuple[str, ...]


def may_play_on(preset: GamePreset, replay: RoundReplay, at: int) -> bool:
    """Return whether a round can be played on from a ply: it isn't over there, and enough of the deal is known."""
    session: Session = replay.sessions[at]
    return session.in_play and session.to_act is not None and _completed(preset, replay, at) is not None


def played_on(played: Replay, index: int, at: int, actions: Sequence[str]) -> tuple[RoundReplay, WhatIf] | None:
    """Return a round that goes on from a ply with other actions.

    The bots' actions and what is drawn depend only on the round and the actions so far, so that the same line is always
    answered in the same way.

    Args:
        played: the replayed record.
        index: the round's index in the record.
        at: the ply; the reader plays for the seat to act there.
        actions: the reader's actions from there on, as they typed them.

    Returns:
        The round from the reader's viewpoint, or with all hands once it is over, and what is asked of the reader;
        `None` if the round can't be played on from this ply.
    """
    assert played.game is not None
    preset, family, replay = played.game.preset, record_format(played.game), round_replay(played, index, ALL)
    if not 0 <= at < len(replay.sessions) or replay.sessions[at].to_act is None:
        return None
    begun = _completed(preset, replay, at)
    if begun is None:
        return None
    line = _Line([*replay.sessions[:at], begun], list(replay.moves[:at]))
    seat, bot = int(begun.to_act), next(name for name in STRONGEST if bots.row(name).plays(preset))
    mine, wrong = list[str](), ""
    for text in actions[:MOST_ACTIONS]:
        if not line.session.in_play:
            break
        try:
            action = family.read(line.session, text)
            if line.session.mover(action) != seat:
                wrong = _("Here you can act only for yourself.")
                break
            mine.append(line.play(action))
        except IllegalAction as error:
            wrong = sentence(family.explain(line.session, text, error))
            break
        except LiarsPokerError as error:
            wrong = sentence(str(error))
            break
        line.answer(seat, bots.load(bot, preset.family))
    over = not line.session.in_play
    choices, example = ((), "") if over else _choices(preset, replay, line.session)
    round_so_far = replace(
        replay,
        names=tuple(YOU if other == seat else name for other, name in enumerate(played.players)),
        me=seat,
        sessions=tuple(line.sessions),
        moves=tuple(line.moves),
        claims=(),
        view=ALL if over else str(seat),
    )
    pages = pages_for(preset).replay
    asked = WhatIf(
        seat=seat,
        since=at,
        actions=tuple(mine),
        choices=choices,
        example=example,
        wrong=wrong,
        bot=_(bots.row(bot).title),
        are_drawn=begun != replay.sessions[at],
        outcome=pages.position(round_so_far, len(line.moves)).outcome if over else (),
        real=pages.position(replay, len(replay.sessions) - 1).outcome,
    )
    return round_so_far, asked


@dataclass(slots=True)
class _Line:
    """The actions of a round, with the sessions after the deal and after each of them."""

    sessions: list[Any]
    moves: list[tuple[int | None, str]]

    @property
    def session(self) -> Any:
        return self.sessions[-1]

    def play(self, action: int) -> str:
        """Add an action, and return it in notation."""
        later, text = self.session.apply(action), self.session.write(action)
        self.moves.append((self.session.mover(action), text))
        self.sessions.append(later)
        return str(text)

    def answer(self, seat: int, bot: Bot) -> None:
        """Let a bot play for everybody else until it is the turn of `seat`."""
        chance = Random("\n".join(text for _seat, text in self.moves))
        while self.session.in_play and self.session.to_act != seat:
            self.play(bot(self.session.view(self.session.to_act), chance))


def _completed(preset: GamePreset, replay: RoundReplay, at: int) -> Any:
    """Return the session at a ply with a complete deal; `None` if too little of it is known."""
    session, complete = replay.sessions[at], pages_for(preset).completed
    if session.all_known or complete is None:
        return session if session.all_known else None
    chance = Random("\n".join(text for _seat, text in replay.moves))
    return complete(session, replay.sessions[-1], chance)


def _choices(preset: GamePreset, replay: RoundReplay, session: Any) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return some legal actions with their words, and another one in notation."""
    pages, legal = pages_for(preset).replay, session.legal()
    shown = [*legal.answers[:MOST_BUTTONS], *legal.claims[:MOST_BUTTONS]]
    others = [*legal.claims[MOST_BUTTONS:], *legal.answers[MOST_BUTTONS:], session.default_action()]
    choices = []
    for action in shown:
        text = session.write(action)
        after = replace(replay, odds=False, sessions=(session, session.apply(action)), moves=((session.to_act, text),))
        choices.append((text, capital(pages.plies(after)[1].words)))
    return tuple(choices), next((session.write(action) for action in others if action not in shown), "")
