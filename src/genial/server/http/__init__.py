"""The border to the web: routes, sockets, files, and the document of the API."""
