"""Several server processes on one database: what they tell one another."""
