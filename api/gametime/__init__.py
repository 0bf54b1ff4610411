"""The two clocks of the server: database time, and the game time derived from it."""
