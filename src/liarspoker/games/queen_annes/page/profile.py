"""Queen Anne's games on the page about a player's bluffs."""

from __future__ import annotations

from functools import partial

from liarspoker.games.cards.profile import claims, label
from liarspoker.games.queen_annes.probability import probability
from liarspoker.language import _, pgettext
from liarspoker.web.view_models.profile import Profile, ProfileWords


def _words() -> ProfileWords:
    return ProfileWords(
        title=_("Your claims in Queen Anne’s games"),
        made=_("Claims made"),
        bluffs=_("Claims that were bluffs"),
        others_challenged=_("Other claims that the next player challenged"),
        meaning=_(
            "Here a bluff is a claim that was more likely false than true, given the cards you saw. It is caught if it "
            "is challenged and the hand doesn’t exist."
        ),
        by_level=_("By the hand named"),
        level=pgettext("a poker hand", "Hand"),
        several_games=_(
            "Claims of all tables are added up, although more cards make better hands. Choose a game to compare like "
            "with like."
        ),
        answered=_("Claims answered"),
        missing=_("You named a better hand, and theirs didn’t exist"),
        there=_("You challenged, and it existed"),
        belief=_(
            "If you often go above hands that don’t exist, you believe the player too much; if you often challenge "
            "hands that exist, too little. Those you believe too much come first."
        ),
    )


PROFILE = Profile(partial(claims, probability=probability), label, _words, by_probability=True)
