"""View model of a round of Queen Anne's games: the cards, the named hands, the claim builder and the proof.

Reading order: `seen` converts a view to the types of the rules, `board` has the cards, `keys` and `builder` the claim
builder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.games.queen_annes.ladder import named_hand, prove
from liarspoker.games.queen_annes.notation import read_claim
from liarspoker.games.queen_annes.page import odds, replay, rules
from liarspoker.games.queen_annes.page.board import RequiredCard, Tile, proved_pool, required_cards_of, tiles_of
from liarspoker.games.queen_annes.page.builder import Builder, builder_of
from liarspoker.games.queen_annes.page.profile import PROFILE
from liarspoker.games.queen_annes.page.review import REVIEW
from liarspoker.games.queen_annes.page.seen import (
    SeenRound,
    cost,
    seen_round,
    titled,
    what_happened,
    who_against_whom,
    wilds,
)
from liarspoker.games.queen_annes.page.what_if import completed
from liarspoker.games.queen_annes.record_text import describe_proof, promise
from liarspoker.language import N_, _, pgettext
from liarspoker.odds.figures import percent
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import YOU, said_of
from liarspoker.web.view_models.family import FamilyPages, OddsPage, RoundViewModel

__all__ = ["PAGES", "Proof", "QueenAnnesViewModel", "Step", "view_model"]


@dataclass(frozen=True, slots=True)
class Step:
    """An action of the round: the player, the hand named (empty for a challenge), and whether it is the last claim."""

    name: str
    words: str
    standing: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a challenge.

    Attributes:
        cost: who loses what, and who opens the next round or has won.
        words: sentences about wild cards used and cards missing; empty if there are none.
        chance: the probability that this many random cards make the hand; empty if help is off.
        key: unique to the proof, to detect a new one.
    """

    who: str
    exists: bool
    cost: str
    words: tuple[str, ...]
    chance: str
    winner: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueenAnnesViewModel(RoundViewModel):
    """View model of a round for one viewer; see `RoundViewModel` for the inherited attributes.

    Attributes:
        exactly: the cards that the last claim requires, in words.
        required_cards: those cards; with help or after a challenge, also the cards that match them.
        chance: the probability that the hand exists, given the visible cards; empty if help is off.
        tiles: each seat's cards and losses, by user.
        mine: the viewer's own tile; `None` for spectators.
        blind: players see all cards except their own.
        stud: the game has extra cards.
        in_play: number of cards in play.
        seen: how many of them the viewer sees.
        seen_others: the viewer sees cards of other players.
        may_challenge: the action to send, or empty.
        out_of_turn: the challenge would be out of turn.
        premove: the round for which the viewer may queue a challenge in advance; empty if not allowed.
        builder: the claim builder; `None` if the viewer can't name a hand now.
    """

    standing: str
    exactly: str
    claimant: str
    required_cards: tuple[RequiredCard, ...]
    chance: str
    opens: str
    tiles: Mapping[str, Tile]
    mine: Tile | None
    blind: bool
    stud: bool
    loss_costs_card: bool
    in_play: int
    seen: int
    seen_others: bool
    wilds: str
    anyone: bool
    ladder: tuple[Step, ...]
    may_challenge: str
    out_of_turn: bool
    premove: str
    builder: Builder | None
    proof: Proof | None
    help: bool


def view_model(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> QueenAnnesViewModel:
    """Return the view model of a round for a viewer."""
    seen = seen_round(public, you)
    view, rules = seen.view, seen.rules
    named = None if seen.claim == NO_CLAIM else named_hand(seen.claim, rules)
    chance = None if named is None else seen.chance(named)
    tiles = tiles_of(seen)
    legal = seen.hand.legal
    playing = public.stage == "round"
    my_turn = playing and seen.me is not None and public.to_act == seen.me
    least = None if legal is None or not my_turn or not legal.claim else legal.min_claim
    return QueenAnnesViewModel(
        kind="queen_annes",
        heading=_("Round {number}", number=public.round_number),
        said=what_happened(seen),
        over=seen.result is not None,
        standing="" if named is None else titled(named),
        exactly="" if named is None else promise(named),
        claimant="" if view.claimant is None else seen.names[view.claimant],
        required_cards=() if named is None else required_cards_of(seen, named, _pool(seen)),
        chance="" if chance is None else percent(chance, 0),
        opens=said_of(seen.names[view.opener], N_("You open"), N_("{name} opens")),
        tiles=dict(zip(view.users, tiles, strict=True)),
        mine=None if seen.seat is None else tiles[seen.seat],
        blind=bool(rules.blind),
        stud=bool(rules.extras),
        loss_costs_card=bool(rules.loss_costs_card),
        in_play=seen.in_play,
        seen=len(seen.known),
        seen_others=any(tile.hidden < len(tile.cards) for tile in tiles if tile.seat != seen.seat),
        wilds=wilds(seen),
        anyone=bool(rules.anyone_challenges),
        ladder=_ladder(seen),
        may_challenge=(legal.challenge or "") if playing and legal is not None else "",
        out_of_turn=playing and not my_turn,
        premove=f"round-{public.rounds_played}" if playing and seen.holds and not my_turn else "",
        builder=None if least is None else builder_of(seen, least, public.turn or 0, draft),
        proof=None if seen.result is None else _proof(seen, public),
        help=seen.help,
        acts=_acts(seen),
        marked=_marks(seen),
    )


def _pool(seen: SeenRound) -> tuple[int, ...]:
    """Return the cards to match with the last claim: all after a challenge, before it the visible ones with help."""
    if seen.result is not None:
        return proved_pool(seen, seen.result)
    return seen.known if seen.help and seen.holds else ()


def _ladder(seen: SeenRound) -> tuple[Step, ...]:
    steps: list[Step] = []
    for seat, action in reversed(seen.view.moves):
        words = _hand(action, seen)
        steps.append(Step(seen.names[seat], words, bool(words) and not any(step.words for step in steps)))
    return tuple(steps)


def _hand(action: str, seen: SeenRound) -> str:
    """Return the hand that an action names; empty for a challenge."""
    if not action.startswith("claim "):
        return ""
    return titled(named_hand(read_claim(action.removeprefix("claim "), seen.rules), seen.rules))


def _proof(seen: SeenRound, public: PublicView) -> Proof:
    result = seen.view.result
    assert result is not None
    winner = seen.view.winner
    named = named_hand(seen.claim, seen.rules)
    proof = prove(named, _pool(seen), seen.rules)
    return Proof(
        who=who_against_whom(seen),
        exists=result.exists,
        cost=cost(seen),
        words=tuple(describe_proof(named, proof)) if proof.wilds or not result.exists else (),
        chance=percent(seen.chance_of_any(named), 0) if seen.help else "",
        winner="" if winner is None else seen.names[winner],
        key=f"{public.rounds_played}-{seen.view.round}",
    )


def _acts(seen: SeenRound) -> dict[str, str]:
    acts = {}
    for seat, action in seen.view.moves:
        claims = action.startswith("claim ")
        words = titled(named_hand(read_claim(action.removeprefix("claim "), seen.rules), seen.rules)) if claims else ""
        done = pgettext("you", "challenge") if seen.names[seat] == YOU else pgettext("a player", "challenges")
        acts[seen.view.users[seat]] = words or done
    return acts


def _marks(seen: SeenRound) -> dict[str, tuple[str, ...]]:
    marks: dict[str, list[str]] = {user: [] for user in seen.view.users}
    users: Any = seen.view.users
    for seat, user in enumerate(users):
        if seat not in seen.view.alive:
            marks[user].append("out")
    if seen.claim != NO_CLAIM:
        marks[users[seen.view.claimant]].append("bidder")
    if seen.result is not None:
        marks[users[seen.result.challenger]].append("challenged")
    if seen.view.winner is not None:
        marks[users[seen.view.winner]].append("won")
    return {user: tuple(of_user) for user, of_user in marks.items()}


PAGES = FamilyPages(
    round=view_model,
    replay=replay,
    rules=rules,
    review=REVIEW,
    completed=completed,
    profile=PROFILE,
    odds=(OddsPage(odds.PATH, N_("A hand in the pool"), 1, "odds/queen_annes.html", odds.view_model),),
)
"""The page components of Queen Anne's games."""
