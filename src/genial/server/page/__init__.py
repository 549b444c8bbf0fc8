"""The tables in a page without a server: one person's device, whose browser keeps the games.

`start` is where a page begins, and `port` what its client talks to. `store` is the store, on a `vault` that
the browser provides; `tabs` lets several tabs of one browser share it; `thinking` and `reading` do what
separate processes do on a server; `export` turns everything that is kept into one file. `shell` wraps what
the page's JavaScript workers provide.
"""
