"""The rule book's chapters."""
