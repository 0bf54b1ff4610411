"""Games that exist to prove that a new game needs no edit elsewhere."""
