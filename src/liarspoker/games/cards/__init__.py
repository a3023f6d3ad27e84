"""What the two families of card games share beyond their rules."""
