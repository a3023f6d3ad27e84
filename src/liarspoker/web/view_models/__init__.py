"""What a page draws of a view: everything said and placed, nothing left for a template to work out.

A scene follows from a public view alone, the one that the socket sends; it never sees a table's state. What depends on
the family of games is in a module of its own, chosen by the view's `kind`.
"""
