"""The card games as environments."""
