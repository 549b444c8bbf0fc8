"""The border to the web: routes, sockets, files, and the API's document."""
