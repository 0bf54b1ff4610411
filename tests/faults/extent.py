"""How much is done: a short selection, or with FAULTS=long all of it."""

import os

LONG = os.environ.get("FAULTS") == "long"
FIRST_SEED = int(os.environ.get("FAULTS_SEED", "0"))

KILLS_EACH = 10
"""Of one test. A test names its seed; FAULTS_SEED=<seed> FAULTS_KILLS=10 does it again."""

KILLS = int(os.environ.get("FAULTS_KILLS", "200" if LONG else "20"))
SEEDS = range(FIRST_SEED, FIRST_SEED + -(-KILLS // KILLS_EACH))

CUTS = 200 if LONG else 20
"""How often all connections to the database are ended."""

OUTAGE_SECONDS = 60.0 if LONG else 10.0
"""How long the database is away; more than the 5 s from which on an outage counts as one."""

BUS_SECONDS = 75.0 if LONG else 8.0
"""How long the bus is away."""

ACTIONS = 1000 if LONG else 150
"""Through which a client drops and resumes."""

RACES = 100 if LONG else 12
"""At deadlines, of each sort."""

CROWD = 1000 if LONG else 300
"""Sockets that arrive at once."""
