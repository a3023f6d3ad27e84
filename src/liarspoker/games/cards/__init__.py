"""Code shared by the two families of card games."""
