"""Printable sheets of slips.

`slips` draws the random numbers. `sheet` and `face` create the PDF; they need reportlab, which the optional dependency
`print` installs.
"""
