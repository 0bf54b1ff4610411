"""What every game must keep, whatever its rules: plain functions that raise AssertionError."""
