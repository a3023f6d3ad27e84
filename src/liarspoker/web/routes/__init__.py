"""The routes of the pages, one module for each part of the site."""
