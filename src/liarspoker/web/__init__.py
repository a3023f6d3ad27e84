"""The pages for people: templates, styles and the browser's client, drawn from the views of `liarspoker.server`."""
