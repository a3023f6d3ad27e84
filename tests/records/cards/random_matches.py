"""Random matches of the card games, with any options, losses, agreed openers, extras, hidden cards and named options.

All choices come from one `random.Random`, so that Hypothesis can shrink them and a fuzz test can seed them.
"""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Any

from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import RANKS, UNKNOWN
from liarspoker.core.option_info import OptionInfo
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.thorin.actions import cards_of, discard_of, is_discard, show_of
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.options import NAMED_OPTIONS
from liarspoker.games.thorin.session import ThorinSession
from tests.records.sessions import NAMES, Kept
from tests.rules.cards.matches import random_action

GAME_IDS = tuple(row.id for row in catalogue.games() if row.has_winner)
Session = ThorinSession | QueenAnnesSession


def random_match(chance: Random, most_rounds: int = 4, game_id: str | None = None) -> Kept:
    """Play up to `most_rounds` rounds of any card game; the last one may be unfinished."""
    row = catalogue.preset(game_id or chance.choice(GAME_IDS))
    seats = chance.choice([2, 2, 3, 3, 4, 5, 10])
    game: Any
    session: Session
    if row.family == "thorin":
        game = catalogue.load(row.id)
        session = game.session(seats, game.options(random_changes(chance, game.option_infos)))
    else:
        game = catalogue.load(row.id)
        options = game.options(random_changes(chance, game.option_infos))
        session = game.session(seats, options, losses=random_losses(chance, seats))
    for round in range(chance.randint(0, most_rounds)):
        if session.winner is not None or session.in_play:
            break
        session = random_round(chance, session, to_the_end=round < most_rounds - 1 and chance.random() < 0.9)
    return Kept(game, session, tuple(chance.choice(NAMES) for _ in range(seats)))


def random_changes(chance: Random, infos: tuple[OptionInfo, ...]) -> dict[str, object]:
    """Return new values for about a third of the options."""
    changes = {info.name: chance.choice(info.choices) for info in infos if chance.random() < 0.3}
    if "wild_ranks" in changes:
        changes["wild_ranks"] = "".join(chance.sample(RANKS, chance.randint(0, 3)))
    return changes


def random_losses(chance: Random, seats: int) -> list[int] | None:
    """Return the losses at the start of a match, in which at least two players are still in; sometimes `None`."""
    if chance.random() < 0.4:
        return None
    losses = [chance.randint(0, 5) for _ in range(seats)]
    for seat in chance.sample(range(seats), 2):
        losses[seat] = chance.randint(0, 4)
    return losses


def random_round(chance: Random, session: Session, to_the_end: bool) -> Session:
    """Return the session after one more round, or part of one."""
    opener = chance.choice(session.alive) if chance.random() < 0.2 else None
    if isinstance(session, ThorinSession):
        return passed_round(chance, session, opener, to_the_end)
    return play_pooled_round(chance, session, opener, to_the_end)


def play_pooled_round(
    chance: Random, session: QueenAnnesSession, opener: int | None, to_the_end: bool
) -> QueenAnnesSession:
    """Play another round of one of Queen Anne's games; in Stud, the record may contain only the dealt extra cards."""
    drawn = session.chance_spec().draw(chance.randrange)
    dealt = session.deal(drawn, RoundSetup(opener))
    actions = random_actions(chance, dealt, to_the_end)
    played: QueenAnnesSession = played_on(dealt, actions)
    assert played.round is not None
    if played.setup.rules.extras and chance.random() < 0.7:
        needed = played.round.state.drawn
        kept = needed if not played.in_play else chance.randint(0, needed)
        played = played_on(session.deal(QueenAnnesDeal(drawn.hands, drawn.extras[:kept]), RoundSetup(opener)), actions)
    return played


def passed_round(chance: Random, session: ThorinSession, opener: int | None, to_the_end: bool) -> ThorinSession:
    """Play another round of Thorin's game as in a record: without a seed, and sometimes with unknown cards."""
    named = random_changes(chance, NAMED_OPTIONS) if session.setup.options.dealers_choice else {}
    live = session.deal(session.chance_spec(named).draw(chance.randrange), RoundSetup(opener, options=named))
    actions = random_actions(chance, live, to_the_end)
    live = played_on(live, actions)
    assert live.round is not None
    assert live.round.stock.deck is not None
    deck = live.round.stock.deck
    if chance.random() < 0.5:
        deck = deck[: live.round.stock.position]
    hidden = chance.choice([0, 0, 0.2, 0.8])
    known = tuple(UNKNOWN if chance.random() < hidden else card for card in deck)
    again = session.deal(
        ThorinDeal(None if hidden and chance.random() < 0.3 else known), RoundSetup(opener, options=named)
    )
    for action in actions:
        again = again.apply(unseen(action, again) if is_discard(action) and chance.random() < hidden else action)
    if again.phase == "show" and not live.in_play:
        again = again.apply(show_of(chance.sample(live.round.hand, 5)))
    return again


def unseen(action: int, session: ThorinSession) -> int:
    """Return the discard action with unknown cards in place of those that the record doesn't contain."""
    assert session.round is not None
    known = session.round.hand
    return discard_of([card if card in known else UNKNOWN for card in cards_of(action)])


def random_actions(chance: Random, session: Any, to_the_end: bool) -> list[int]:
    """Return random legal actions from here: mostly claims, and eventually a challenge."""
    actions: list[int] = []
    boldness = chance.choice([0.3, 0.7, 0.9])
    while session.in_play and (to_the_end or chance.random() < 0.85):
        actions.append(random_action(session, chance, boldness))
        session = session.apply(actions[-1])
    return actions


def played_on(session: Any, actions: list[int]) -> Any:
    """Return the session after these actions."""
    return reduce(lambda before, action: before.apply(action), actions, session)


@st.composite
def kept_matches(draw: st.DrawFn, most_rounds: int = 4, game_id: str | None = None) -> Kept:
    """Draw a `random_match` with randomness from Hypothesis."""
    return random_match(draw(st.randoms(use_true_random=False)), most_rounds, game_id)
