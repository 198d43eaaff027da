"""Games in a browser: a server with a separate session for each visitor.

What a visitor may not do, or what can't be shown or served, raises a `GameError` for people; a
request that is not valid raises `web.HTTPBadRequest`.
"""
