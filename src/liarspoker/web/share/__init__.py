"""Share images: pictures of a table, a hand or a result, for link previews on other sites."""
