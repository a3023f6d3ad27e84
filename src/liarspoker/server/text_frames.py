"""WebSockets as uvicorn speaks them, except that a text which is no UTF-8 is not an error of the server's."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode


class QuietSocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket."""

    def send_receive_event_to_app(self) -> None:
        """Hand on a whole message; close with 1007 where a text is no UTF-8, and write no line to the log."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()
