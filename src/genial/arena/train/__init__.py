"""Learning the value of `genial.kernel.network` from games it plays against itself."""
