"""A round of Thorin's game, built again from what the server tells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from liarspoker.core.cards.deck import read_cards
from liarspoker.core.session import RoundSetup
from liarspoker.games.thorin.actions import TAKE, discard_of, face_down, is_discard
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.round import Stint
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import Terms, packed_passes
from liarspoker.terminal.live.sights import Json, Setting, Sight


def sight(setting: Setting, moves: int) -> Sight:
    """The round after so many of its moves; a hand or a discard that the seat has not seen is unknown."""
    told, seat = setting.told, setting.seat
    whole = moves == setting.moves
    result = told.get("result") if whole else None
    session: ThorinSession = _begun(setting)
    memory, had = _memory(setting), int(told["opener"] == seat)
    seen: list[tuple[int, int]] = []
    for place, (mover, text) in enumerate(told["moves"][:moves], 1):
        if result is not None and result["hand"] is not None and place == moves:
            session = _holding(session, result["hand"])
        action = session.read(text)
        session = session.apply(action)
        had += mover == seat and action == TAKE
        # After the table's end the server tells nobody's cards any more, not even his own.
        own = mover == seat and is_discard(action) and had <= len(memory)
        seen.append((mover, discard_of(memory[had - 1].thrown) if own else face_down(action)))
    if whole and result is None and "hand" in setting.hand:
        session = _holding(session, setting.hand["hand"])
    alive = _alive_before(told) if result is None else session.alive
    view = replace(session.view(seat), moves=tuple(seen), stints=memory[:had], alive=alive)
    return Sight(session, view)


def _begun(setting: Setting) -> Any:
    """The round before its first declaration."""
    told = setting.told
    fresh: Any = setting.game.session(setting.seats, setting.options)
    begun = fresh.deal(ThorinDeal(), RoundSetup(told["opener"], options=told["named"]))
    named = tuple(told["named"].items())
    terms = Terms(told["round"], told["opener"], _alive_before(told), named, opener_agreed=told["round"] == 0)
    passed = [seat for seat, action in told["moves"] if action == "pass"]
    passes = begun.round.rules.passes
    spent = packed_passes(max(0, passes - left - passed.count(seat)) for seat, left in enumerate(told["passes"]))
    standing = begun.round.standing._replace(spent=spent)
    return replace(begun, round=replace(begun.round, terms=terms, standing=standing))


def _alive_before(told: Json) -> tuple[int, ...]:
    """Who plays the round; whom it put out the server counts no more among the living."""
    loser = told["result"]["loser"] if "result" in told else None
    return tuple(sorted({*told["alive"], *(() if loser is None else (loser,))}))


def _memory(setting: Setting) -> tuple[Stint, ...]:
    """What the seat remembers of each time that it had the hand."""
    told = setting.hand.get("memory", ())
    return tuple(
        Stint(setting.seat or 0, *(read_cards(stint[key]) for key in ("taken", "thrown", "drawn"))) for stint in told
    )


def _holding(session: ThorinSession, hand: list[str]) -> ThorinSession:
    """The session when the hand that goes around is known."""
    assert session.round is not None
    return replace(session, round=replace(session.round, hand=read_cards(hand)))
