"""The bots of the digit games, from the one that knows its share to the one that listens and lies."""
