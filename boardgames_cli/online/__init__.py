"""Tables over a network: a server owns the match, and clients get what their seat may know.

What is not possible, not allowed or not readable raises a `GameError` whose text is for people:
`SeatError` about tables and seats, `IllegalActionError` about a game, `MessageError` and
`AddressError` about what was written. What can't be saved raises `StorageError`, and nothing has
changed then, so that it may be tried again.
"""
