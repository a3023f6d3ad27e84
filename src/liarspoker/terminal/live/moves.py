"""What somebody types as a move at a live table, judged here before it is sent."""

from __future__ import annotations

from liarspoker.core.errors import LEGAL, IllegalAction
from liarspoker.records.family import record_format
from liarspoker.terminal.face import Ask, renderer_of
from liarspoker.terminal.live.state import State
from liarspoker.terminal.live.tables import sentence
from liarspoker.terminal.screen import Screen


def action_of(screen: Screen, state: State, typed: str, ask: Ask) -> int | None:
    """The action that is typed, asked for piece by piece if it must be; `None`, once it is told why, if it is none.

    Args:
        screen: where the person reads.
        state: a round in play; it is his turn.
        typed: what he has typed.
        ask: asks him for more.
    """
    face, sight = renderer_of(state.game), state.sight
    whole = face.complete(screen, sight.view, typed, ask)
    if not whole:
        return None
    try:
        action = face.read(sight.session, whole)
        refusal = sight.session.refusal(action)
        if refusal != LEGAL:
            raise IllegalAction(action, refusal)
    except IllegalAction as error:
        screen.say(sentence(record_format(state.game).explain(sight.session, whole, error)))
        return None
    return action
