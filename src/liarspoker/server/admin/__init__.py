"""Administration of a server's database. Its output never contains hands, seeds or links to tables."""
