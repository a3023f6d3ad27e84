"""The migrations, in the order of their file names."""
