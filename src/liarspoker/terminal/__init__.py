"""Playing in a terminal, line by line: it works in a pipe, in a screen reader, without colour and at 40 columns."""
