"""The rule book, one file per chapter: `check_*` judges an action, `do_*` performs it."""
