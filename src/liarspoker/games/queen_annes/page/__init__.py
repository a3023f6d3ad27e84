"""A round of Queen Anne's games: cards that are seen, hands that were named, a claim put together, the proof.

Reading order: `sight`, which turns a view into the rules' terms; `sayings`; `board`, the cards; `choices` and
`builder`, which put a claim together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.notation import read_claim
from liarspoker.games.queen_annes.page.board import Tile, Want, proved_pool, tiles_of, wants_of
from liarspoker.games.queen_annes.page.builder import Builder, builder_of
from liarspoker.games.queen_annes.page.sayings import cost, per_cent, titled, what_happened, who_against_whom, wilds
from liarspoker.games.queen_annes.page.sight import Json, Sight, sight_of
from liarspoker.games.queen_annes.record_text import promise
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import subject

__all__ = ["Proof", "QueenAnnesScene", "Step", "scene"]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the ladder.

    Attributes:
        name: who.
        words: the hand that he named; empty for a challenge.
        standing: it is the standing hand, or the one that was challenged.
    """

    name: str
    words: str
    standing: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """How a challenge came out.

    Attributes:
        who: who named, who challenged.
        exists: the hand is there.
        cost: who loses what, who opens, who has won.
        words: which wild cards help and which cards are missing, sentence by sentence; none where neither is so.
        chance: that as many cards hold it, whatever they are; empty where no help is given.
        winner: who has won the match; empty while it goes on.
        key: changes from one proof to the next.
    """

    who: str
    exists: bool
    cost: str
    words: tuple[str, ...]
    chance: str
    winner: str
    key: str


@dataclass(frozen=True, slots=True)
class QueenAnnesScene:
    """A round as somebody sees it. The attributes of `RoundScene` are explained there.

    Attributes:
        standing: the hand named last, with a capital; empty before the first.
        exactly: what it asks for, in words.
        claimant: whose it is.
        wants: the cards that it asks for, with those that are seen where help is given, or after a challenge.
        chance: that it is there, given what is seen; empty where none is told.
        opens: who opened the round, with the verb.
        tiles: what lies before each seat, by user.
        mine: what lies before who looks; `None` for who does not play the match.
        blind: players see all cards but their own.
        stud: further cards come off the deck.
        loss_costs_card: a loss costs one of the cards dealt at once.
        in_play: how many cards are in play.
        seen: how many of them are seen.
        seen_others: some of them are others'.
        wilds: which cards are wild, in words; empty for none.
        anyone: anyone may challenge.
        ladder: newest first.
        may_challenge: the action to send, or empty.
        out_of_turn: it would be a challenge out of turn.
        premove: for which round he may choose beforehand to challenge whatever comes; empty where he may not.
        builder: the claim that is put together; `None` when he may not name one.
        proof: how the challenge came out; `None` before it.
        help: odds are told at this table.
    """

    kind: str
    heading: str
    said: str
    over: bool
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
    acts: Mapping[str, str]
    marked: Mapping[str, tuple[str, ...]]

    def act(self, user: str) -> str:
        """What `user` has done last."""
        return self.acts.get(user, "")

    def marks(self, user: str) -> tuple[str, ...]:
        """How his seat is marked."""
        return self.marked.get(user, ())


def scene(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> QueenAnnesScene:
    """The round of a view, for who looks."""
    sight = sight_of(public, you)
    told, rules = sight.told, sight.rules
    named = None if sight.claim == NO_CLAIM else named_hand(sight.claim, rules)
    chance = None if named is None else sight.chance(named)
    tiles = tiles_of(sight)
    legal = sight.hand.get("legal") or {}
    playing = public.stage == "round"
    my_turn = playing and sight.me is not None and public.to_act == sight.me
    names_next = my_turn and legal.get("claim")
    return QueenAnnesScene(
        kind="pooled",
        heading=f"Round {told['round'] + 1}",
        said=what_happened(sight),
        over=sight.result is not None,
        standing="" if named is None else titled(named),
        exactly="" if named is None else promise(named),
        claimant="" if named is None else sight.names[told["claimant"]],
        wants=() if named is None else wants_of(sight, named, _pool(sight)),
        chance="" if chance is None else per_cent(chance),
        opens=subject(sight.names[told["opener"]], "opens"),
        tiles=dict(zip(told["users"], tiles, strict=True)),
        mine=None if sight.seat is None else tiles[sight.seat],
        blind=bool(rules.blind),
        stud=bool(rules.extras),
        loss_costs_card=bool(rules.loss_costs_card),
        in_play=sight.in_play,
        seen=len(sight.known),
        seen_others=any(tile.hidden < len(tile.cards) for tile in tiles if tile.seat != sight.seat),
        wilds=wilds(sight),
        anyone=bool(rules.anyone_challenges),
        ladder=_ladder(sight),
        may_challenge=(legal.get("challenge") or "") if playing else "",
        out_of_turn=playing and not my_turn,
        premove=f"round-{public.rounds_played}" if playing and sight.holds and not my_turn else "",
        builder=builder_of(sight, legal["min_claim"], public.turn or 0, draft) if names_next else None,
        proof=None if sight.result is None else _proof(sight, public),
        help=sight.help,
        acts=_acts(sight),
        marked=_marks(sight),
    )


def _pool(sight: Sight) -> tuple[int, ...]:
    """The cards that may be laid to the standing hand: after a challenge all, before it those seen if help is given."""
    if sight.result is not None:
        return proved_pool(sight, sight.result)
    return sight.known if sight.help and sight.holds else ()


def _ladder(sight: Sight) -> tuple[Step, ...]:
    steps: list[Step] = []
    for seat, action in reversed(sight.told["moves"]):
        words = _hand(action, sight)
        steps.append(Step(sight.names[seat], words, bool(words) and not any(step.words for step in steps)))
    return tuple(steps)


def _hand(action: str, sight: Sight) -> str:
    """The hand that an action names; empty for a challenge."""
    if not action.startswith("claim "):
        return ""
    return titled(named_hand(read_claim(action.removeprefix("claim "), sight.rules), sight.rules))


def _proof(sight: Sight, public: PublicView) -> Proof:
    result: Json = sight.told["result"]
    winner = sight.told["winner"]
    helped = any(want.wild for want in wants_of(sight, named_hand(sight.claim, sight.rules), _pool(sight)))
    return Proof(
        who=who_against_whom(sight),
        exists=result["exists"],
        cost=cost(sight),
        words=tuple(result["proof_words"]) if helped or not result["exists"] else (),
        chance=per_cent(sight.chance_of_any(named_hand(sight.claim, sight.rules))) if sight.help else "",
        winner="" if winner is None else sight.names[winner],
        key=f"{public.rounds_played}-{sight.told['round']}",
    )


def _acts(sight: Sight) -> dict[str, str]:
    acts = {}
    for seat, action in sight.told["moves"]:
        claims = action.startswith("claim ")
        words = (
            titled(named_hand(read_claim(action.removeprefix("claim "), sight.rules), sight.rules)) if claims else ""
        )
        acts[sight.told["users"][seat]] = words or "challenges"
    return acts


def _marks(sight: Sight) -> dict[str, tuple[str, ...]]:
    marks: dict[str, list[str]] = {user: [] for user in sight.told["users"]}
    users: Any = sight.told["users"]
    for seat, user in enumerate(users):
        if seat not in sight.told["alive"]:
            marks[user].append("out")
    if sight.claim != NO_CLAIM:
        marks[users[sight.told["claimant"]]].append("bidder")
    if sight.result is not None:
        marks[users[sight.result["challenger"]]].append("challenged")
    if sight.told["winner"] is not None:
        marks[users[sight.told["winner"]]].append("won")
    return {user: tuple(of_user) for user, of_user in marks.items()}
