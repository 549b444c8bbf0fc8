"""Several server processes on one database, and workers on other machines."""
