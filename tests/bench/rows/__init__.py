"""One module for each group of rows; each has `async def rows(rig, quick) -> list[Row]`."""
