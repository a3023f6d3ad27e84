"""The pages, one module for each room that people walk through."""
