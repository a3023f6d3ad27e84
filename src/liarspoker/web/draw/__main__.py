"""`python -m liarspoker.web.draw` prints the sprite, to be served at `/static/ornament.svg`."""

import sys

from liarspoker.web.draw.sprite import ornament_svg

sys.stdout.write(ornament_svg())
