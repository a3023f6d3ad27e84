"""What bots are called, in the order in which they sit down."""

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
