"""The house: every live table of this node, each with one writer, and what watches over their clocks and bots."""
