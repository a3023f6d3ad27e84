"""The bots of Thorin's game: who is easily impressed, who knows the chances, and who follows its inventor's advice."""
