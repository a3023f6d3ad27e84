"""Announcements at a live table: players who come and go, proposals, messages, and the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from liarspoker.language import N_, _, ngettext
from liarspoker.protocol.frames import ChatLine, SeatReaction
from liarspoker.protocol.views import ProposalView, RematchView, RoundView
from liarspoker.records.words import REACTION_WORDS, printable, said_of
from liarspoker.terminal.renderer import Position, renderer_of
from liarspoker.terminal.screen import Screen, show_units
from liarspoker.terminal.server import Place
from liarspoker.terminal.state import ME, State

EARLIER = 5
"""Number of earlier messages that a new player sees."""


class Announcements:
    """Announces changes at the table, apart from the rounds."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._before: State | None = None
        self._heard: set[tuple[float, str, str]] | None = None
        self._reactions: set[SeatReaction] = set()
        self._present: set[str] | None = None
        self._waited_for: tuple[str, ...] = ()

    def show(self, state: State) -> None:
        """Announce what has changed since the last state."""
        before, self._before = self._before, state
        if before is None:
            return
        self._show_seats(before, state)
        self._show_owner(before, state)
        self._show_proposals(before, state)
        self._show_hands(before, state)
        if before.waiting and state.gathering:
            self._screen.say(_("The game begins."))
        if before.public.paused != state.public.paused:
            self._screen.say(_("Clocks paused.") if state.public.paused else _("Clocks running."))
        if before.public.locked != state.public.locked:
            self._screen.say(_("The table is locked.") if state.public.locked else _("The table is unlocked."))
        if before.public.chat != state.public.chat:
            self._screen.say(_("The chat is on.") if state.public.chat else _("The chat is off."))

    def show_waiting(self, state: State) -> None:
        """Show whom the table waits for: the owner to start, or others before the next deal."""
        owner = state.public.owner
        if state.waiting:
            if not state.you.owner and owner in state.chairs and self._waited_for != (owner,):
                self._screen.say(_("Waiting for {name} to start.", name=state.name_of(owner)))
                self._waited_for = (owner,)
            return
        expected = tuple(
            state.name_of(user)
            for user in (state.public.gathering.users if state.public.gathering else ())
            if user in state.chairs and not state.chairs[user].ready and not state.chairs[user].away
        )
        if expected and expected != self._waited_for and not state.wanted:
            self._screen.say(_("Waiting for {names}.", names=", ".join(expected)))
        self._waited_for = expected

    def show_chat(self, lines: Sequence[ChatLine], state: State | None) -> None:
        """Show new messages, apart from the player's own."""
        first, heard = self._heard is None, self._heard or set()
        fresh = [line for line in lines if (line.at, line.user, line.text) not in heard]
        self._heard = {(line.at, line.user, line.text) for line in lines}
        for line in fresh[-EARLIER:] if first else fresh:
            own = state is not None and line.user == state.user
            if first or not own:
                name, text = printable(line.name), printable(line.text)
                if own:
                    self._screen.say(_("You said: {text}", text=text) if first else _("You say: {text}", text=text))
                elif first:
                    self._screen.say(_("{name} said: {text}", name=name, text=text))
                else:
                    self._screen.say(_("{name} says: {text}", name=name, text=text))

    def show_reactions(self, reactions: Sequence[SeatReaction], state: State | None) -> None:
        """Show new reactions, apart from the player's own."""
        for one in reactions:
            if one not in self._reactions and state is not None and one.user != state.user:
                self._screen.say(f"{state.name_of(one.user)}: {_(REACTION_WORDS[one.reaction])}")
        self._reactions = set(reactions)

    def show_presence(self, users: Sequence[str], state: State | None) -> None:
        """Show which other players have disconnected, and who is back."""
        before, self._present = self._present, set(users)
        if before is None or state is None or state.ended:
            return
        for user in state.chairs:
            if user != state.user and (user in before) != (user in self._present):
                gone = user in before
                message = N_("{name} has disconnected.") if gone else N_("{name} is back.")
                self._screen.say(_(message, name=state.name_of(user)))

    def _say(self, name: str, to_me: str, to_others: str, **values: object) -> None:
        """Say one of two messages, see `said_of`."""
        self._screen.say(said_of(name, to_me, to_others, **values))

    def _show_seats(self, before: State, state: State) -> None:
        old, new = before.chairs, state.chairs
        for user in [user for user in new if user not in old]:
            name, bot = state.name_of(user), new[user].bot
            if bot:
                self._screen.say(_("{name} sits down, a bot ({bot}).", name=name, bot=bot))
            else:
                self._say(name, N_("You sit down."), N_("{name} sits down."))
        for user in [user for user in old if user not in new]:
            if not old[user].leaving:
                self._say(state.name_of(user), N_("You leave the table."), N_("{name} leaves the table."))
        for user in [user for user in new if user in old]:
            if new[user].stand_in != old[user].stand_in:
                self._show_stand_in(state, user, new[user].stand_in)
            if new[user].leaving and not old[user].leaving:
                self._say(
                    state.name_of(user),
                    N_("You leave; the round is played to its end."),
                    N_("{name} leaves; the round is played to its end."),
                )
            elif new[user].away != old[user].away:
                if new[user].away:
                    self._say(state.name_of(user), N_("You sit out."), N_("{name} sits out."))
                else:
                    self._say(state.name_of(user), N_("You play again."), N_("{name} plays again."))

    def _show_stand_in(self, state: State, user: str, bot: str | None) -> None:
        name = state.name_of(user)
        if bot is None:
            self._say(name, N_("You play without a bot again."), N_("{name} plays without a bot again."))
        else:
            self._say(name, N_("A bot ({bot}) plays for you."), N_("A bot ({bot}) plays for {name}."), bot=bot)

    def _show_owner(self, before: State, state: State) -> None:
        owner = state.public.owner
        if before.public.owner != owner:
            if owner == state.user:
                self._screen.say(_("The table is yours now."))
            else:
                self._screen.say(_("The table is {name}'s now.", name=state.name_of(owner)))

    def _show_hands(self, before: State, state: State) -> None:
        """Show the hands that players have shown since the last state."""
        for one in state.public.hands:
            if one not in before.public.hands:
                name, hand = state.names[one.seat], " ".join(one.hand)
                shown = self._screen.for_cards() if renderer_of(state.game).has_cards else self._screen
                message = N_("You show your hand: {hand}.") if name == ME else N_("{name} shows their hand: {hand}.")
                shown.say(_(message, name=name, hand=hand))

    def _show_proposals(self, before: State, state: State) -> None:
        old = {one.proposal: one for one in before.public.proposals}
        new = {one.proposal: one for one in state.public.proposals}
        for number in [number for number in new if number not in old]:
            proposal = new[number]
            self._screen.say(_proposed(proposal, state))
        for number in [number for number in old if number not in new]:
            self._screen.say(_verdict(old[number], before, _agreed(old[number], before, state)))
        if before.public.stake != state.public.stake and state.public.stake is not None and not old:
            self._screen.say(_("Agreed: the next hand is played at stake {stake}.", stake=state.public.stake))


def _proposed(proposal: ProposalView, state: State) -> str:
    """Return a new proposal as a sentence."""
    by = state.name_of(proposal.by)
    if proposal.kind == "stake":
        message = (
            N_("You propose to play the next hand at stake {stake}.")
            if by == ME
            else N_("{by} proposes to play the next hand at stake {stake}.")
        )
        return _(message, by=by, stake=proposal.value)
    if proposal.kind == "undo":
        message = (
            N_("You propose to take the last action back.")
            if by == ME
            else N_("{by} proposes to take the last action back.")
        )
        return _(message, by=by)
    name = state.name_of(proposal.value)
    if by == ME:
        message = N_("You propose to remove {name}.")
    else:
        message = N_("{by} proposes to remove you.") if name == ME else N_("{by} proposes to remove {name}.")
    return _(message, by=by, name=name)


def _verdict(proposal: ProposalView, state: State, agreed: bool) -> str:
    """Return whether a proposal was accepted, as a sentence."""
    name = state.name_of(proposal.value) if proposal.kind == "remove" else ""
    agreed_message, refused_message = _VERDICTS["remove-me" if name == ME else proposal.kind]
    return _(agreed_message if agreed else refused_message, stake=proposal.value, name=name)


_VERDICTS = {
    "stake": (
        N_("Agreed: to play the next hand at stake {stake}."),
        N_("Not agreed: to play the next hand at stake {stake}."),
    ),
    "undo": (N_("Agreed: to take the last action back."), N_("Not agreed: to take the last action back.")),
    "remove": (N_("Agreed: to remove {name}."), N_("Not agreed: to remove {name}.")),
    "remove-me": (N_("Agreed: to remove you."), N_("Not agreed: to remove you.")),
}
"""The sentences about accepted and refused proposals, by kind."""


def _agreed(proposal: ProposalView, before: State, state: State) -> bool:
    """Return whether a finished proposal was accepted, as its effect shows."""
    if proposal.kind == "stake":
        return state.public.stake == proposal.value
    if proposal.kind == "undo":
        return _moves(state) < _moves(before)
    chair = state.chairs.get(str(proposal.value))
    return chair is None or chair.leaving


def _moves(state: State) -> int:
    return 0 if state.public.round is None else len(state.public.round.moves)


def match_won(name: str) -> str:
    """Return the sentence that a player has won the match."""
    return said_of(name, N_("You win the match."), N_("{name} wins the match."))


class Rounds:
    """Shows what is new in the current round."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._deal: int | None = None
        self._moves: tuple[tuple[int, str], ...] = ()
        self._ended: RoundView | None = None
        self._turn: int | None = None
        self._offered = False
        self._acted: set[int] = set()

    def acted(self, turn: int) -> None:
        """Note that the player has sent an action in this turn, so it isn't shown to them."""
        self._acted.add(turn)

    def repeat_turn(self) -> None:
        """Show again that it is the player's turn, for instance after a lost connection."""
        self._turn = None

    def show(self, state: State) -> None:
        """Show what is new."""
        deal = state.public.deal
        if state.public.round is None or deal is None:
            return
        if self._deal != deal.deal:
            self._deal = deal.deal
            self._show_deal(state)
        self._show_moves(state)
        self._show_result(state)
        if not self._offered and state.out_of_turn is not None:
            self._offered = True
            self._screen.say(_("You may also challenge when it isn't your turn: type c."))
        if state.my_turn and self._turn != state.turn and not state.public.paused:
            self._turn = state.turn
            renderer = renderer_of(state.game)
            renderer.turn(self._for(state), state.position)
            renderer.legal(self._for(state), state.position)
            if state.seconds is not None:
                self._screen.say(ngettext("You have {count} second.", "You have {count} seconds.", state.seconds))

    def _for(self, state: State) -> Screen:
        """Return the screen as the game's renderer writes to it."""
        return self._screen.for_cards() if renderer_of(state.game).has_cards else self._screen

    def _show_deal(self, state: State) -> None:
        """Show a new round with its actions so far; if it is over, without the last action."""
        dealt = state.dealt
        self._ended, self._turn = None, None
        self._moves = dealt.moves[:-1] if dealt.to_act is None else dealt.moves
        self._screen.say()
        renderer_of(state.game).deal(self._for(state), state.after(len(self._moves)))

    def _show_moves(self, state: State) -> None:
        moves, known = state.dealt.moves, self._moves
        if moves[: len(known)] != known:
            common = next((n for n, (a, b) in enumerate(zip(moves, known, strict=False)) if a != b), len(moves))
            self._screen.say(_("The last action was taken back."))
            known = known[:common]
        if len(moves) > len(known):
            before = state.after(len(known))
            for count in range(len(known), len(moves)):
                after = state.after(count + 1)
                self._show_move(before, after, state, count)
                before = after
        self._moves = moves

    def _show_move(self, before: Position[Any, Any], after: Position[Any, Any], state: State, count: int) -> None:
        seat, action = state.dealt.moves[count]
        if seat == state.you.seat and state.turn - (len(state.dealt.moves) - count) not in self._acted:
            self._screen.say(_("Played for you: {action}.", action=action))
        renderer_of(state.game).action(self._for(state), before, after)

    def _show_result(self, state: State) -> None:
        before, dealt = self._ended, state.dealt
        if dealt.to_act is not None:
            return
        self._ended = dealt
        renderer = renderer_of(state.game)
        if before is None:
            renderer.result(self._for(state), state.position)
            winner = state.position.session.winner
            if winner is not None:
                self._screen.say(match_won(state.names[winner]))
        elif before != dealt and "numbers" in renderer.questions():  # only revealed numbers change after the end
            renderer.questions()["numbers"](self._for(state), state.position, "")


def show_table(screen: Screen, state: State, place: Place) -> None:
    """Show the game, the players, and the link for friends."""
    settings = state.public.settings
    title = f"{printable(settings.title)}: " if settings.title else ""
    others = [state.name_of(user) for user in state.chairs if user != state.user]
    what = _("{title}{game}, {seats} seats.", title=title, game=_(state.game.preset.title), seats=settings.seats)
    players = _("Players: {names}.", names=", ".join(others))
    screen.say(f"{what} {players}" if others else what)
    screen.say(_("Link for friends:"))
    screen.draw([place.link])
    screen.say(_("Type help at any time."))


def show_score(screen: Screen, state: State) -> None:
    """Show what each player has won or lost, including those who left and those who haven't played yet."""
    units = {one.user: one.units for one in state.public.units}
    if not units:
        screen.say(_("Nobody has won or lost anything yet."))
        return
    units |= {user: chair.units for user, chair in state.chairs.items()}
    show_units(screen, [*map(state.name_of, units)], [*units.values()], printable(state.public.settings.unit))


def show_end(screen: Screen, state: State) -> None:
    """Show why the table has ended, the score, and who pays whom."""
    why = state.public.end_reason
    screen.say(_("The table has ended: {why}.", why=_(why)) if why else _("The table has ended."))
    show_score(screen, state)
    for payment in state.public.settle_up or ():
        payer, payee = state.name_of(payment.payer), state.name_of(payment.payee)
        units = ngettext("{count} unit", "{count} units", payment.units)
        if payer == ME:
            screen.say(_("You pay {payee} {units}.", payee=payee, units=units))
        elif payee == ME:
            screen.say(_("{payer} pays you {units}.", payer=payer, units=units))
        else:
            screen.say(_("{payer} pays {payee} {units}.", payer=payer, payee=payee, units=units))


def show_rematch(screen: Screen, state: State, rematch: RematchView, place: Place) -> None:
    """Show who has opened a rematch, and how to follow."""
    if rematch.user == state.user:
        screen.say(_("You have opened a rematch. To play it here, leave this table and run:"))
    else:
        name = printable(rematch.name)
        screen.say(_("{name} has opened a rematch. To join it, leave this table and run:", name=name))
    screen.draw([f"liarspoker play --server {place.at(rematch.table).link}"])
