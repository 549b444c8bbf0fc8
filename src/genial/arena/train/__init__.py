"""Learning the value of `genial.kernel.value` from games that it plays against itself."""
