"""A round of Queen Anne's games: cards that are seen, hands that were named, a claim put together, the proof.

Reading order: `seen`, which turns a view into the rules' terms; `board`, the cards; `keys` and `builder`, which put a
claim together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.notation import read_claim
from liarspoker.games.queen_annes.page import odds, replay, rules
from liarspoker.games.queen_annes.page.board import Tile, Want, proved_pool, tiles_of, wants_of
from liarspoker.games.queen_annes.page.builder import Builder, builder_of
from liarspoker.games.queen_annes.page.seen import (
    SeenRound,
    cost,
    per_cent,
    seen_round,
    titled,
    what_happened,
    who_against_whom,
    wilds,
)
from liarspoker.games.queen_annes.record_text import promise
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import subject
from liarspoker.web.view_models.family import FamilyPages, OddsPage, RoundScene

__all__ = ["PAGES", "Proof", "QueenAnnesScene", "Step", "scene"]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the ladder: who named which hand, empty for a challenge, and whether it stands or was challenged."""

    name: str
    words: str
    standing: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """How a challenge came out.

    Attributes:
        cost: who loses what, who opens, who has won.
        words: which wild cards help and which cards are missing, sentence by sentence; none where neither is so.
        chance: that as many cards hold it, whatever they are; empty where no help is given.
        key: changes from one proof to the next.
    """

    who: str
    exists: bool
    cost: str
    words: tuple[str, ...]
    chance: str
    winner: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueenAnnesScene(RoundScene):
    """A round as somebody sees it. The attributes of `RoundScene` are explained there.

    Attributes:
        exactly: what it asks for, in words.
        wants: the cards that it asks for, with those that are seen where help is given, or after a challenge.
        chance: that it is there, given what is seen; empty where none is told.
        tiles: what lies before each seat, by user.
        mine: what lies before who looks; `None` for who does not play the match.
        blind: players see all cards but their own.
        stud: further cards come off the deck.
        in_play: how many cards are in play.
        seen: how many of them are seen.
        seen_others: some of them are others'.
        may_challenge: the action to send, or empty.
        out_of_turn: it would be a challenge out of turn.
        premove: for which round he may choose beforehand to challenge whatever comes; empty where he may not.
        builder: the claim that is put together; `None` when he may not name one.
    """

    standing: str
    exactly: str
    claimant: str
    wants: tuple[Want, ...]
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


def scene(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> QueenAnnesScene:
    """The round of a view, for who looks."""
    seen = seen_round(public, you)
    view, rules = seen.view, seen.rules
    named = None if seen.claim == NO_CLAIM else named_hand(seen.claim, rules)
    chance = None if named is None else seen.chance(named)
    tiles = tiles_of(seen)
    legal = seen.hand.legal
    playing = public.stage == "round"
    my_turn = playing and seen.me is not None and public.to_act == seen.me
    least = None if legal is None or not my_turn or not legal.claim else legal.min_claim
    return QueenAnnesScene(
        kind="queen_annes",
        heading=f"Round {view.round + 1}",
        said=what_happened(seen),
        over=seen.result is not None,
        standing="" if named is None else titled(named),
        exactly="" if named is None else promise(named),
        claimant="" if view.claimant is None else seen.names[view.claimant],
        wants=() if named is None else wants_of(seen, named, _pool(seen)),
        chance="" if chance is None else per_cent(chance),
        opens=subject(seen.names[view.opener], "opens"),
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
    """The cards that may be laid to the standing hand: after a challenge all, before it those seen if help is given."""
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
    """The hand that an action names; empty for a challenge."""
    if not action.startswith("claim "):
        return ""
    return titled(named_hand(read_claim(action.removeprefix("claim "), seen.rules), seen.rules))


def _proof(seen: SeenRound, public: PublicView) -> Proof:
    result = seen.view.result
    assert result is not None
    winner = seen.view.winner
    helped = any(want.wild for want in wants_of(seen, named_hand(seen.claim, seen.rules), _pool(seen)))
    return Proof(
        who=who_against_whom(seen),
        exists=result.exists,
        cost=cost(seen),
        words=tuple(result.proof_words) if helped or not result.exists else (),
        chance=per_cent(seen.chance_of_any(named_hand(seen.claim, seen.rules))) if seen.help else "",
        winner="" if winner is None else seen.names[winner],
        key=f"{public.rounds_played}-{seen.view.round}",
    )


def _acts(seen: SeenRound) -> dict[str, str]:
    acts = {}
    for seat, action in seen.view.moves:
        claims = action.startswith("claim ")
        words = titled(named_hand(read_claim(action.removeprefix("claim "), seen.rules), seen.rules)) if claims else ""
        acts[seen.view.users[seat]] = words or "challenges"
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
    round=scene,
    replay=replay,
    rules=rules,
    odds=(OddsPage(odds.PATH, "A hand in the pool", 1, "odds/queen_annes.html", odds.scene),),
)
"""The pages of Queen Anne's games."""
