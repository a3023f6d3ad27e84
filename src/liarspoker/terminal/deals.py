"""One's own share in every deal, and what one has seen of it: nothing for the person to do, and something to check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from liarspoker.protocol.commands import OpenNonce, Ready
from liarspoker.protocol.views import GatheringView
from liarspoker.tables.fair import nonce_commitment
from liarspoker.terminal.identity import nonce
from liarspoker.terminal.state import State


class Deals:
    """Gives a nonce to every deal, and remembers what was promised and dealt.

    Args:
        table: the table's id.
        secret: what the nonces follow from.
    """

    def __init__(self, table: str, secret: str) -> None:
        self._table = table
        self._secret = secret
        self._promised: dict[int, str] = {}
        self._roots: dict[int, str] = {}
        self._given: dict[int, str] = {}

    def see(self, state: State) -> None:
        """Remember what the server promises now, and what it has dealt."""
        gathering, deal = state.public.gathering, state.public.deal
        if gathering is not None:
            self._promised[gathering.deal] = gathering.commitment
        if deal is not None and self._promised.get(deal.deal) is not None:
            self._roots[deal.deal] = deal.root

    def ready(self, state: State) -> Ready:
        """The command that asks for the next deal, with a promise of a nonce from a person who plays it."""
        if not state.needs.wanted:
            return Ready()
        assert state.you.chair is not None
        number = _gathering(state).deal
        return Ready(nonce_commitment=nonce_commitment(self._nonce(state), self._table, number, state.you.chair).hex())

    def open(self, state: State) -> OpenNonce:
        """The command that opens the nonce."""
        given = self._nonce(state).hex()
        self._given[_gathering(state).deal] = given
        return OpenNonce(nonce=given)

    def _nonce(self, state: State) -> bytes:
        gathering = _gathering(state)
        assert state.you.chair is not None
        return nonce(self._secret, self._table, gathering.deal, state.you.chair, gathering.commitment)

    def findings(self, document: Any) -> Iterator[str]:
        """What an audit document says otherwise than it was seen here."""
        stated = {deal["deal"]: deal for deal in document["deals"]}
        for number, root in self._roots.items():
            deal = stated.get(number)
            if deal is None:
                yield f"deal {number}: it was dealt here, and the audit leaves it out"
                continue
            if deal["commitment"] != self._promised[number]:
                yield f"deal {number}: the server had promised something else"
            if deal["root"] != root:
                yield f"deal {number}: another root was published with the deal"
            if number in self._given and self._given[number] not in deal["nonces"]:
                yield f"deal {number}: your share is missing"

    @property
    def shared(self) -> int:
        """To how many of them one has given a nonce."""
        return len(self._given.keys() & self._roots.keys())


def _gathering(state: State) -> GatheringView:
    assert state.public.gathering is not None
    return state.public.gathering


def show_audit(deals: Deals, document: Any, say: Callable[[str], object]) -> bool:
    """Check every deal of a table that has ended, and say what came of it; whether all of it holds."""
    from liarspoker.tables.fair.audit import check

    findings = [finding.what for finding in check(document)]
    if not findings:
        findings = list(deals.findings(document))
    for finding in findings:
        say(f"- {finding}")
    if findings:
        say("The audit does not hold. Keep it, and ask whoever runs the server.")
        return False
    number = len(document["deals"])
    what = "The deal is" if number == 1 else f"All {number} deals are"
    say(f"{what} what the server promised before it knew anybody's share.")
    if deals.shared:
        say(f"You have given a share of your own to {deals.shared} of {number}.")
    return True
