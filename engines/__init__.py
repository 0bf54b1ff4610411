"""Pure rule engines: no I/O, no clock, no chance of their own. One folder is one game."""
