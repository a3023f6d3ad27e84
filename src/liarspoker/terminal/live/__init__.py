"""Playing at a live table from the terminal, by the public protocol alone: HTTP, one socket, and what they tell."""
