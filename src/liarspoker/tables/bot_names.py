"""Display names of bots, in the order in which they join a table."""

BOT_NAMES = (
    "Bea",
    "Cal",
    "Dot",
    "Eli",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kit",
    "Lou",
    "Max",
    "Nan",
    "Oz",
    "Pam",
    "Quin",
)
