"""What things cost, as ratios to a floor measured in the same run: `python -m tests.bench`."""
