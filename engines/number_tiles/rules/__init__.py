"""The chapters of RULES.md, one module each."""
