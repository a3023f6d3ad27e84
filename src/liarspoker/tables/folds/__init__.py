"""What every kind of event changes, by subject: the chairs, what is made ready, the rounds."""

from collections.abc import Callable, Mapping
from typing import Any

from liarspoker.protocol.events import Event
from liarspoker.tables.state import Table

Folds = Mapping[type[Event], Callable[[Table, Any], Table]]
"""For kinds of events the state after one of them."""
