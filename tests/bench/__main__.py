"""The command: `python -m tests.bench --help`."""

import argparse
import asyncio
import signal
import sys
import time
from importlib import import_module
from pathlib import Path

import uvloop

from tests import cluster
from tests.bench import report
from tests.bench.rig import rig

GROUPS = ("engines", "actions", "watching", "lists", "export", "endurance", "peers")


def main() -> int:
    """Measure what is asked for; the status is 0 whatever comes out, for figures are no tests."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(GROUPS)}; none: all")
    parser.add_argument("--slow", action="store_true", help="more rounds, for steadier figures")
    parser.add_argument("--json", type=Path, default=Path("bench.json"), help="where to write")
    arguments = parser.parse_args()
    unknown = set(arguments.groups) - set(GROUPS)
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # end what was begun
    on = report.machine()
    with cluster.cluster() as url:
        rows = []
        for group in arguments.groups or GROUPS:
            began = time.monotonic()
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                rows += runner.run(_measure(group, url, arguments.slow))
            print(f"{group}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(report.table(rows))
    report.write(arguments.json, rows, on)
    return 0


async def _measure(group: str, url: str, slow: bool) -> list[report.Row]:
    module = import_module(f"tests.bench.rows.{group}")
    async with rig(url, slow) as ready:
        rows: list[report.Row] = await module.rows(ready)
    if hasattr(module, "deadlines"):
        async with rig(url, slow, module.SCALE) as ready:  # where time must pass
            rows += await module.deadlines(ready)
    return rows


if __name__ == "__main__":
    sys.exit(main())
