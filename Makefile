PYTHON ?= python3
# uv is used where it is installed; `make UV= ...` uses pip all the same.
UV := $(shell command -v uv 2>/dev/null)
VENV := .venv
BENCH_VENV := .venv-bench
BIN := $(VENV)/bin
CLIENT := src/genial/server/client/index.html
# What the client is made of: its own files, the rules it shows, and the shape of what the server says.
WEB_SOURCES := $(shell find web docs/rules src/genial/server src/genial/core/messages -type f \
	-not -path 'web/node_modules/*' -not -path 'web/src/paraglide/*' -not -path 'src/genial/server/client/*' \
	-not -path 'web/tests/*' -not -name '*.pyc' -not -name '.*')

# What callers may count on, whichever of several server processes they come to.
CONTRACT := $(addprefix tests/server/test_,http_bots.py http_openapi.py http_tables.py lessons.py records.py security_web.py \
	static.py ws_games.py ws_protocol.py)

ifneq ($(UV),)
install = $(UV) pip install --quiet --python $(1)/bin/python
else
install = $(1)/bin/python -m pip install --quiet --disable-pip-version-check
endif

# $(call install_locked,ENVIRONMENT,LOCK): a lock is complete, so nothing is resolved (--no-deps), and every file
# is checked against its hash.
define install_locked
	@echo "Installing $(2) into $(1) ..."
	@$(call install,$(1)) --no-deps --require-hashes -r $(2)
	@$(call install,$(1)) --no-deps --no-build-isolation -e .
endef

.DEFAULT_GOAL := help
.PHONY: help setup play test lint format bench check-all soak soak-postgres migrate-full bench-postgres fuzz train golden web web-test web-lock browser-test two-processes screens snapshots chromium nginx lock clean FORCE
.DELETE_ON_ERROR:

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.dev ## Set up everything for development in .venv

play: $(CLIENT) ## Set up what playing needs, and start the game (ARGS="play classic" passes arguments on)
	@$(BIN)/genial $(ARGS)

test: lint web-test $(CLIENT) chromium nginx ## Set up, then run all checks and tests, in a real browser too
	$(BIN)/pytest -n 2 -rs --ignore tests/browser --ignore tests/arena/test_cluster.py
	@# Alone, so that one Ray cluster is started and not one in each process.
	$(BIN)/pytest -rs tests/arena/test_cluster.py
	GENIAL_PROCESSES=2 $(BIN)/pytest -n 2 -rs $(CONTRACT)
	@# In processes of their own: Playwright keeps an event loop running, in which nobody else can start one.
	$(BIN)/pytest -n 2 -rs tests/browser

lint: setup ## Check style, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup ## Rewrite the code in the house's format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(BENCH_VENV)/.bench setup $(CLIENT) ## Measure speed side by side with peers, the server under load, and the client (ARGS=--quick)
	@$(BENCH_VENV)/bin/genial bench $(ARGS)
	@$(BIN)/python benchmarks/server_load.py $(filter --quick --json,$(ARGS))
	@$(BIN)/python benchmarks/client.py $(filter --quick --json,$(ARGS))

check-all: setup ## The long run of checks
	$(BIN)/python -m tests.full
	$(BIN)/python -m tests.kernel.full

soak: setup ## Kill the server 100 times while 200 games are played; nothing acknowledged may be lost
	$(BIN)/python -m tests.server.soak

soak-postgres: setup ## The same with two processes on one PostgreSQL, then with two machines whose lines are cut
	$(BIN)/python -m tests.server.soak --postgres
	$(BIN)/python -m tests.server.soak --postgres --think 2
	$(BIN)/python -m tests.server.hosts

migrate-full: setup ## Move 10,000 finished and 100 running games from a file to PostgreSQL and back
	$(BIN)/python -m tests.server.moving

bench-postgres: setup ## Durable moves on PostgreSQL with 1, 2 and 4 processes, what one more costs, and what tables and bots take
	@$(BIN)/python benchmarks/postgres_load.py $(filter --quick --json,$(ARGS))
	@$(BIN)/python benchmarks/process_curve.py $(filter --quick --json,$(ARGS))
	@$(BIN)/python benchmarks/sizing.py $(filter --quick --json,$(ARGS))

fuzz: setup ## Send the server 100,000 bad messages
	$(BIN)/python -m tests.server.fuzz --messages 100000

train: setup ## Learn the value that strong bots use (ARGS="classic --seats 2"); a run goes on where it ended
	$(BIN)/python -m genial.arena.train $(ARGS)

golden: setup ## Write the golden counts, playthroughs and picture anew; read the diff before you commit it
	$(BIN)/python -m tests.golden
	$(BIN)/python docs/rules/diagrams.py

web: $(CLIENT) ## Build the browser client into the package (Node comes from PyPI)

web-test: $(VENV)/.web ## Check the browser client's types and words, and run its tests
	$(BIN)/python hatch_build.py test

browser-test: setup $(CLIENT) chromium ## Play whole games through the interface, in Debian's Chromium
	$(BIN)/pytest -n 2 -rs tests/browser

two-processes: setup $(CLIENT) chromium ## Run both suites on two server processes: each request goes to the next in turn
	GENIAL_PROCESSES=2 $(BIN)/pytest -n 2 -rs $(CONTRACT) tests/server/test_schema.py
	GENIAL_PROCESSES=2 $(BIN)/pytest -n 2 -rs tests/browser

screens: setup $(CLIENT) chromium ## Take a picture of every screen, into docs/screens/
	$(BIN)/python -m tests.browser.screens

snapshots: setup $(CLIENT) chromium ## Write anew what a screen reader is told of every screen; read the diff
	GENIAL_WRITE_SNAPSHOTS=1 $(BIN)/pytest -n 2 -q tests/browser/test_screens.py

chromium: ## The browser for these tests: Debian's, installed where this user may
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		apt-get update --quiet=2 && apt-get install --yes --quiet=2 --no-install-recommends chromium; } || \
		echo "No Chromium here, so browser tests are skipped. As root: apt-get install chromium"

# Unpacked, not installed: as a package it would begin to serve.
nginx: setup ## The proxy for a test of docs/hosting.md: Debian's, unpacked into .venv
	@PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null || test -x $(VENV)/nginx/usr/sbin/nginx || { \
		mkdir -p $(VENV)/nginx && cd $(VENV)/nginx && command -v apt-get >/dev/null && { \
			apt-get download --quiet=2 nginx 2>/dev/null || \
			{ test "$$(id -u)" = 0 && apt-get update --quiet=2 && apt-get download --quiet=2 nginx; }; } && \
		dpkg -x nginx_*.deb . && test -x usr/sbin/nginx; } || \
		echo "No nginx here, so its test is skipped. As root: apt-get install nginx"

web-lock: $(VENV)/.web ## Make web/package-lock.json from web/package.json, without the names of hosts
	$(BIN)/python hatch_build.py lock

COMPILE = $(UV) pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) pyproject.toml

# Each lock is held to the pins of the one before.
lock: ## Make requirements/*.txt from pyproject.toml, with uv (UPGRADE=1 takes the newest versions)
	@test -n "$(UV)" || { echo "make lock needs uv: install it, for example with '$(PYTHON) -m pip install uv'." >&2; exit 1; }
	$(COMPILE) --group play -o requirements/play.txt
	$(COMPILE) --group dev -c requirements/play.txt -o requirements/dev.txt
	$(COMPILE) --group bench -c requirements/dev.txt --excludes requirements/bench-excludes.txt \
		-o requirements/bench.txt
	$(filter-out pyproject.toml,$(COMPILE)) --group pyproject.toml:web -o requirements/web.txt

clean: ## Remove the environments and everything generated
	rm -rf $(VENV) $(BENCH_VENV) web/node_modules web/src/paraglide src/genial/server/client dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps .play, .dev, .web and .bench say which lock an environment holds. The dev lock holds all of play's.

$(VENV)/.play: $(VENV)/pyvenv.cfg pyproject.toml requirements/play.txt
	$(call install_locked,$(VENV),requirements/play.txt)
	@touch $@

$(VENV)/.dev: $(VENV)/pyvenv.cfg pyproject.toml requirements/dev.txt
	$(call install_locked,$(VENV),requirements/dev.txt)
	@touch $@ $(VENV)/.play

$(BENCH_VENV)/.bench: $(BENCH_VENV)/pyvenv.cfg pyproject.toml requirements/bench.txt
	$(call install_locked,$(BENCH_VENV),requirements/bench.txt)
	@# pip compiles what it installs, uv does not; the start of a program is one of the things measured.
	@$(BENCH_VENV)/bin/python -m compileall -q $(BENCH_VENV)/lib >/dev/null || true
	@touch $@

# The types come from the server's own; the file is only touched if they changed.
$(CLIENT): $(VENV)/.web $(WEB_SOURCES)
	@$(BIN)/python -m genial.server.openapi --typescript > web/.api.ts
	@cmp -s web/.api.ts web/src/lib/api.ts || cp web/.api.ts web/src/lib/api.ts
	@rm web/.api.ts
	@echo "Building the browser client ..."
	@$(BIN)/python hatch_build.py build
	@touch $@

# Node, beside whatever else the environment holds.
$(VENV)/.web: $(VENV)/.play requirements/web.txt
	@echo "Installing requirements/web.txt into $(VENV) ..."
	@$(call install,$(VENV)) --no-deps --require-hashes -r requirements/web.txt
	@touch $@

# An environment whose Python was uninstalled or upgraded away is made anew.
$(VENV)/pyvenv.cfg: $(shell test -x $(VENV)/bin/python || echo FORCE)
$(BENCH_VENV)/pyvenv.cfg: $(shell test -x $(BENCH_VENV)/bin/python || echo FORCE)
FORCE:

$(VENV)/pyvenv.cfg $(BENCH_VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Genial needs Python 3.11 or later, and '$(PYTHON)' is missing or older. Install one," \
			"or name one you have: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' cannot make virtual environments. Install its venv module" \
			"(Debian, Ubuntu: the package python3-venv)." >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(@D)
