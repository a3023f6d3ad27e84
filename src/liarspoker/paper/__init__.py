"""What can be printed and played with away from any screen: sheets of slips.

`slips` draws the numbers and needs nothing else; `sheet` and what it stands on draw the PDF and need reportlab, the
extra `print`.
"""
