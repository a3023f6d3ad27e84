"""Thorin's game on the page about a player's bluffs."""

from __future__ import annotations

from functools import partial

from liarspoker.games.cards.profile import claims, label
from liarspoker.games.thorin.probability import probability
from liarspoker.language import _, pgettext
from liarspoker.web.view_models.profile import Profile, ProfileWords


def _words() -> ProfileWords:
    return ProfileWords(
        title=_("Your declarations in Thorin’s game"),
        made=_("Declarations made"),
        bluffs=_("Declarations that were bluffs"),
        others_challenged=_("Other declarations that the next player challenged"),
        meaning=_(
            "Here a bluff is a declaration that the hand didn’t keep when you passed it on. It is caught if it is "
            "challenged."
        ),
        by_level=_("By the hand declared"),
        level=pgettext("a poker hand", "Hand"),
        several_games="",
        answered=_("Declarations answered"),
        missing=_("You took the hand, and it was less"),
        there=_("You challenged, and it was true"),
        belief=_(
            "If you often take hands that are less than declared, you believe the player too much; if you often "
            "challenge true declarations, too little. Those you believe too much come first."
        ),
    )


PROFILE = Profile(partial(claims, probability=probability), label, _words, by_probability=True)
