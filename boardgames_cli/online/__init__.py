"""Tables over a network: a server owns the match, and clients get what their seat may know."""
