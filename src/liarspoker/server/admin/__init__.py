"""What whoever runs a server can see and do beside it: no hand, no seed and no link to a table is in any of it."""
