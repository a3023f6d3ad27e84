"""The bots of the pooled card games: who counts shares, who knows the chances, and who listens and bluffs."""
