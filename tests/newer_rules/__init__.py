"""A second version of the coin race's rules, to be served with the first or without it."""
