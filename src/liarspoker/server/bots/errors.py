"""How asking a bot can fail.

```
LiarsPokerError
├── UnknownBot   (liarspoker.bots.catalogue) no such bot, or it does not play such games
├── BotFailed    the bot crashed, was too slow or answered nonsense
└── BotsBusy     the bot was never asked: too many others were before it, or no worker starts
```
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from liarspoker.core.errors import LiarsPokerError

HowItFailed: TypeAlias = Literal["bot-crashed", "bot-too-slow", "bot-nonsense"]


class BotFailed(LiarsPokerError):
    """A bot was asked and gave no action. Asking again with the same seed is likely to end the same way.

    Attributes:
        bot: its name.
        code: how it failed.
    """

    def __init__(self, bot: str, code: HowItFailed, why: str) -> None:
        super().__init__(f"bot {bot}: {why}")
        self.bot = bot
        self.code = code


class BotsBusy(LiarsPokerError):
    """A bot could not be asked in time; nothing is wrong with the bot."""

    code = "bots-busy"
