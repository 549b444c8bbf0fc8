"""Learning the value of `genial.kernel.network` from games that it plays against itself."""
