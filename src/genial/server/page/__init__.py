"""The tables in a page without a server: one person's device, whose browser keeps the games.

`start` is where a page begins, and `port` what its client speaks to. `store` is the store, on a `vault` of
the browser's; `tabs` are several tabs of one browser on it; `thinking` and `reading` do what processes do at
a server; `export` makes one file of all that is kept. `shell` is what the page's workers bring, which are
JavaScript.
"""
