"""The documents that a table leaves behind: its records, and the audit that verifies its deals.

The structs describe them for the HTTP interface; `liarspoker.tables.export` and `liarspoker.tables.fair` write them.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from liarspoker.protocol.settings import EventProof


class RecordedRound(Struct, frozen=True, kw_only=True):
    """A round of a record in Liar's Poker Notation; which keys it has depends on the game.

    Attributes:
        actions: the actions in the notation, in order.
        deal: the number or the cards of each seat; `?` and `??` are unknown.
        deck: the cards from the top of the deck, in Thorin's game.
        extras: the further cards, in Stud.
        opener: the seat that opens, if it isn't the one given by the rules.
        stake: the stake in units, if it isn't the one given by the rules.
        options: options chosen for this round.
        counts: each seat's count of the digit last bid, if it can't be seen.
        carried: true if the stake wasn't agreed, but carried over.
        shown: seats that showed their hidden hand.
        seen: the cards that the seat whose record it is saw, in Thorin's game.
    """

    actions: list[str]
    deal: list[str | list[str]] | UnsetType = UNSET
    deck: list[str] | UnsetType = UNSET
    extras: list[str] | UnsetType = UNSET
    opener: int | UnsetType = UNSET
    stake: int | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    counts: list[int] | UnsetType = UNSET
    carried: bool | UnsetType = field(default=UNSET, name="x-carried")
    shown: list[int] | UnsetType = field(default=UNSET, name="x-shown")
    seen: list[dict[str, Any]] | UnsetType = field(default=UNSET, name="x-seen")


class RecordResponse(Struct, frozen=True, kw_only=True):
    """A record in Liar's Poker Notation: rounds with the same players.

    Attributes:
        lpn: version of the notation.
        game: catalogue id of the game.
        players: the players' names, seat by seat.
        options: options that differ from the game's preset.
        slips: each seat's numbers, slip after slip.
        letters: the flanking letters of the first hand.
        losses: each seat's losses before the first round of a match.
        table: id of the table.
        title: title of the table.
        unit: what a unit is worth.
        seat: the seat whose record it is.
    """

    lpn: Literal[1]
    game: str
    players: list[str]
    rounds: list[RecordedRound]
    options: dict[str, Any] | UnsetType = UNSET
    slips: list[list[str]] | UnsetType = UNSET
    letters: list[str] | UnsetType = UNSET
    losses: list[int] | UnsetType = UNSET
    table: str | UnsetType = field(default=UNSET, name="x-table")
    title: str | UnsetType = field(default=UNSET, name="x-title")
    unit: str | UnsetType = field(default=UNSET, name="x-unit")
    seat: int | UnsetType = field(default=UNSET, name="x-seat")


class LeafProof(Struct, frozen=True, kw_only=True):
    """A proof that a text was dealt at a path; the salt and hashes are hexadecimal."""

    path: str
    text: str
    salt: str
    hashes: list[str]


class AuditedDeal(Struct, frozen=True, kw_only=True):
    """A deal with everything that verifies it; bytes are hexadecimal, and lists have a value per seat.

    Attributes:
        deal: number of the deal, from 0 over the life of the table.
        game: catalogue id of the game.
        seats: number of players in the deal.
        draw: what was drawn.
        commitment: the server's commitment to its seed.
        seed: the server's seed, if the audit is `full`.
        chairs: table seats; null for a player who has left.
        nonce_commitments: the players' commitments; null for none.
        nonces: the opened nonces; empty for none.
        withheld: seats that didn't open their nonce.
        picks: numbers of what was chosen face down; null for no choice.
        root: the root of the hashes of everything dealt.
        opener: the seat that opened, if it was drawn.
        dealt: everything dealt, if the audit is `full`.
        proofs: proofs of what the rules showed, if the audit is `leaves`.
        record: index of the record and of its round, from 0; null if the round was aborted.
    """

    deal: int
    game: str
    seats: int
    draw: dict[str, Any]
    commitment: str
    seed: str | UnsetType = UNSET
    chairs: list[int | None]
    nonce_commitments: list[str | None]
    nonces: list[str]
    withheld: list[int]
    picks: list[int | None]
    root: str
    opener: int | UnsetType = UNSET
    dealt: dict[str, Any] | UnsetType = UNSET
    proofs: list[LeafProof] | UnsetType = UNSET
    record: list[int] | None


class AuditResponse(Struct, frozen=True, kw_only=True):
    """The document with which anyone can verify the deals of a table that has ended.

    Attributes:
        fair: version of the document.
        table: id of the table, or of the event that it belongs to.
        audit: `full` reveals the seeds, and so every hand; `leaves` proves only what the rules showed.
        records: the records of the table.
        deals: all deals, including those of aborted rounds.
        event: what verifies the event that the table belongs to.
    """

    fair: Literal[1]
    table: str
    audit: Literal["full", "leaves"]
    records: list[RecordResponse]
    deals: list[AuditedDeal]
    event: EventProof | UnsetType = field(default=UNSET, name="x-event")
