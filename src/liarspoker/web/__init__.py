"""The web pages: templates and view models, rendered from the views that `liarspoker.server` sends."""
