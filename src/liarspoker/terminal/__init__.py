"""The terminal client for local games and live tables; it works in pipes, with screen readers and at 40 columns."""
