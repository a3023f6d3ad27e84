"""View models: everything that a page shows, worked out, so that templates only place it.

A table's view models depend only on the view that the socket sends, never on the table's state. Each game family has
its own, in the package of the family.
"""
