"""The card games at a live table."""
