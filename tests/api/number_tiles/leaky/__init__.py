"""A game package for the leak tests alone: number tiles that keep no secret in any channel."""
