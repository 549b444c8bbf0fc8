PYTHON ?= python3
# Uses uv if it is installed; `make UV= ...` uses pip even so.
UV := $(shell command -v uv 2>/dev/null)
VENV := .venv
BENCH_VENV := .venv-bench
DOCS_VENV := .venv-docs
MOMALAND_VENV := .venv-momaland
# The development environment can compile the kernel too, with the same versions.
KERNEL_VENV := $(if $(wildcard .venv/.dev),.venv,.venv-kernel)
BIN := $(VENV)/bin
CLIENT := src/genial/server/client/index.html
# The sources of the client: its own files, the rules it shows, and the types of the server's messages.
WEB_SOURCES := $(shell find web docs/rules requirements/page.txt src/genial/server src/genial/core/messages src/genial/core/legal.py src/genial/core/points.py src/genial/core/explain.py -type f \
	-not -path 'web/node_modules/*' -not -path 'web/src/paraglide/*' -not -path 'src/genial/server/client/*' \
	-not -path 'web/tests/*' -not -name '*.pyc' -not -name '.*')

# The kernel compiled for this machine, and its sources.
KERNEL := src/genial/kernel/library/.made
KERNEL_COMING := src/genial/kernel/library/.coming
KERNEL_SOURCES := $(shell find src/genial/kernel src/genial/kernel/source tools/kernel -maxdepth 1 -name '*.py') src/genial/core/observation.py

# The same for graphics cards: text that their drivers compile.
KERNEL_GPU := src/genial/kernel/library/genial.ptx

# What callers may rely on, whichever of several server processes answers.
CONTRACT := $(addprefix tests/server/,$(addprefix calls/test_,bot.py lessons.py records.py tables.py) \
	$(addprefix http/test_,openapi.py security.py socket.py socket_games.py static.py))

# The tests about tables, but not about HTTP or bots over it, which hold in a page too.
PAGE_CONTRACT := $(addprefix tests/server/,$(addprefix calls/test_,capabilities.py house_right.py lessons.py records.py tables.py) \
	$(addprefix http/test_,socket.py socket_games.py) $(addprefix tables/test_,leaving.py presence.py rematch.py))

# Three processes for two cores, because many tests wait for servers. Idle ones take over tests from the others.
# tools/check.py reads the report, and lists the failures of all parts together.
REPORT = -rfEs --junitxml=build/reports/$@.xml -o junit_family=xunit1
PYTEST = $(BIN)/pytest -n 3 --dist worksteal $(REPORT)
# A browser may take longer before it counts as hanging, and so may building packages.
BROWSER_PYTEST = $(PYTEST) -o faulthandler_timeout=300
SHORT_GAMES := tests/browser/test_short_games.py
# Tests of hands on a board: clicks, drags, keys, presses in quick succession.
CLICKS := $(addprefix tests/browser/test_,altered_rules.py pointing.py pressed_twice.py rack.py space.py whole_games.py)

# The parts of the checks, in the order in which they run. All of them run, even if one fails (tools/check.py).
# `make test` is for every commit, and takes 5 minutes once everything is set up.
TEST_PARTS := prepared checks unit short-games
# `.ci/run` has ten minutes from a clean clone. Besides `make test` it runs the parts that have found most faults
# nothing else found: the contract on two processes (what one has written and the other has not read yet), and hands
# on a board (clicks between two frames, screens that changed but looked the same).
CI_PARTS := $(TEST_PARTS) contract clicks
# `make test-all` runs everything in 25 minutes. While Ray's processes wait for each other, numba compiles.
ALL_PARTS := $(TEST_PARTS) cluster slow contract page-tables browser

ifneq ($(UV),)
install = $(UV) pip install --quiet --python $(1)/bin/python
else
install = $(1)/bin/python -m pip install --quiet --disable-pip-version-check
endif

# $(call install_locked,ENVIRONMENT,LOCK): a lock is complete, so nothing is resolved (--no-deps), and every file is
# checked against its hash.
define install_locked
	@echo "Installing $(2) into $(1) ..."
	@$(call install,$(1)) --no-deps --require-hashes -r $(2)
	@$(call install,$(1)) --no-deps --no-build-isolation -e .
endef

# Tests start hundreds of programs, which share the bytecode that Python has compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup play kernel kernel-gpu kernel-meanwhile kernel-too wheels release test ci test-all steady twenty-times three-times prepared checks unit short-games contract clicks slow cluster tournament browser warm lint format bench bench-gpu agreement agreement-web agreement-elsewhere agreement-gpu newcomer-research check-all soak soak-postgres migrate-full bench-postgres fuzz attack golden web site web-test web-lock docs browser-test two-processes momaland-test page-tables screens clip snapshots chromium nginx lock audit clean FORCE
.DELETE_ON_ERROR:

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.dev ## Set up everything for development in .venv

play: kernel-meanwhile $(CLIENT) ## Set up what playing needs, and start the game (ARGS="play classic" passes arguments on)
	@$(BIN)/genial $(ARGS)

kernel: $(KERNEL) ## Compile the kernel for this machine and for browsers; bots of levels 4 to 6 think with it

kernel-gpu: $(KERNEL_GPU) ## Compile the kernel for NVIDIA graphics cards (genial.kernel.gpu)

# Meanwhile these levels play as level 3 does, and the app says so. It finds the kernel without a restart. An old one
# is deleted first. If the app is stopped, the compiler goes on, and the next start has the kernel. Whoever is started
# meanwhile, from another window too, knows by a file that the kernel is on its way (genial.kernel.library.COMING).
kernel-meanwhile:
	@$(MAKE) --question kernel >/dev/null 2>&1 || test -n "$$(find $(KERNEL_COMING) -mmin -10 2>/dev/null)" || { \
		mkdir -p build $(dir $(KERNEL)) && rm -f $(dir $(KERNEL))genial-* && touch $(KERNEL_COMING) && \
		echo "Compiling what bots of levels 4 to 6 think with, meanwhile ..." && \
		{ nice $(MAKE) --no-print-directory kernel >build/kernel.log 2>&1 || \
		echo "The kernel could not be compiled, so levels 4 to 6 play as level 3 does. Why: build/kernel.log" >&2; \
		rm -f $(KERNEL_COMING); } & }

# Runs make again, so that it sees what `setup` has just installed.
kernel-too: setup
	@$(MAKE) --no-print-directory kernel

wheels: $(VENV)/.web $(KERNEL_VENV)/.kernel ## Build the sdist and the wheels for all platforms in dist/; the same tree gives the same bytes
	@PYTHONPATH=src $(KERNEL_VENV)/bin/python -m tools.kernel all --folder build/kernel/all
	@$(BIN)/python -m tools.wheels --libraries build/kernel/all

# Needs `setup`, which also installs what compiles kernels.
release: setup $(VENV)/.web ## Make a release: version, notes, wheels and sdist, each installed and played, then the tag (VERSION=X.Y.Z); uploads nothing
	@test -n "$(VERSION)" || { echo "Which version? For example: make release VERSION=1.2.0" >&2; exit 1; }
	@$(BIN)/python -m tools.release $(VERSION)

test: ## Set up, then run the checks and tests for every commit (5 minutes)
	@$(PYTHON) tools/check.py $(TEST_PARTS)

ci: ## Run everything that has to pass before main moves (10 minutes from a clean clone)
	@$(PYTHON) tools/check.py $(CI_PARTS)

test-all: ## Run every check and every test (25 minutes)
	@$(PYTHON) tools/check.py $(ALL_PARTS)

# Meanwhile ARGS=--busy keeps both cores busy with something else, --halting halts one process after another,
# and --slow-database lets PostgreSQL answer late, which finds most.
steady: ## Look for tests that fail by chance: two processes and clicks on a board twenty times, the rest three times; takes hours
	@$(MAKE) --no-print-directory --keep-going --jobs=1 twenty-times three-times

twenty-times:
	@$(PYTHON) tools/check.py --times 20 $(ARGS) contract clicks

three-times:
	@$(PYTHON) tools/check.py --times 3 $(ARGS) $(filter-out prepared contract,$(ALL_PARTS))

# Two at a time, with what `setup` has just installed.
prepared: setup $(VENV)/.web chromium nginx ## Set up everything that the tests need
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target kernel $(CLIENT)

checks: prepared ## Check style, types and the direction of imports, and run the client's checks and tests
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target lint web-test

# The last file left out takes long even to collect.
unit: prepared ## Run most Python tests, with few examples each (ARGS="tests/core" for one folder only)
	HYPOTHESIS_PROFILE=quick $(PYTEST) -m "not slow" --ignore tests/browser --ignore tests/arena/test_cluster.py \
		--ignore tests/server/http/test_schema.py $(ARGS)

# In separate processes: Playwright keeps an event loop running, so no other test could start one.
short-games: prepared ## Play a short game of every title in a browser
	$(BROWSER_PYTEST) $(SHORT_GAMES)

contract: prepared ## Test what callers may rely on, with two server processes that take requests in turn
	GENIAL_PROCESSES=2 $(PYTEST) $(CONTRACT)

clicks: prepared ## Test clicks, drags and keys on a board, in a browser
	$(BROWSER_PYTEST) $(CLICKS)

slow: prepared warm $(DOCS_VENV)/.docs ## Run the slow tests, and those that try more than in `make unit`
	$(PYTEST) -o faulthandler_timeout=600 -m "slow or thorough" --ignore tests/browser --ignore tests/arena/test_cluster.py

cluster: prepared ## Play a tournament on a Ray cluster, and meanwhile compile what the slow tests need
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target tournament warm

# Not in parallel, so that only one Ray cluster is started.
tournament: prepared
	$(BIN)/pytest $(subst tournament,cluster,$(REPORT)) tests/arena/test_cluster.py

browser: prepared ## Run all other browser tests
	$(BROWSER_PYTEST) tests/browser --ignore $(SHORT_GAMES)

# Has numba compile once for the slow tests; otherwise each of their processes would.
warm: setup
	@GENIAL_KERNEL=numba $(BIN)/genial warmup >/dev/null

lint: setup ## Check style, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup ## Reformat the code in the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(BENCH_VENV)/.bench setup kernel-too $(CLIENT) ## Measure speed against peers and the last kept figures, the server under load, and the client (ARGS=--quick, --check, --keep)
	@$(BENCH_VENV)/bin/genial bench $(ARGS)
	@$(BIN)/python benchmarks/server_load.py $(filter --quick --json,$(ARGS))
	@$(BIN)/python benchmarks/client.py $(filter --quick --json,$(ARGS))
	@$(BIN)/python benchmarks/page.py $(filter --quick --json,$(ARGS))

agreement: kernel-too ## Check that the compiled kernel plays as its source does: 1,000 games of every variant at random and greedily, and 20 by search
	$(BIN)/python -m tools.kernel.expectations build/kernel/expectations.bin
	$(BIN)/python -m tools.kernel.expectations build/kernel/expectations.bin --check $(dir $(KERNEL))genial-*

agreement-elsewhere: agreement $(KERNEL_VENV)/.kernel ## Play the same games with a C program on arm64 (Debian's qemu-user), Windows (Debian's wine) and older processors; takes hours (ARGS="--searches 2" for fewer)
	@PYTHONPATH=src $(KERNEL_VENV)/bin/python -m tools.kernel linux windows linux-arm64 --folder build/kernel/all
	PYTHONPATH=src $(KERNEL_VENV)/bin/python -m tools.kernel.agreement build/kernel/expectations.bin --folder build/kernel/all $(ARGS)

agreement-web: agreement $(VENV)/.web chromium ## Play the same games in WebAssembly with Node and Chromium, and compare Node's speed with the library's
	$(BIN)/python -m tools.kernel.web build/kernel/expectations.bin
	$(BIN)/python -m tools.kernel.web build/kernel/expectations.bin --speed

agreement-gpu: agreement kernel-gpu ## Play the same games on a graphics card, also those by search, one thread each, which takes long; needs CuPy in .venv
	$(BIN)/python -m tools.kernel.on_card build/kernel/expectations.bin
	@PYTHONPATH=src $(BIN)/python -m tools.kernel.ptx build/kernel/search.ptx
	$(BIN)/python -m tools.kernel.on_card build/kernel/expectations.bin --search build/kernel/search.ptx

bench-gpu: setup kernel-too kernel-gpu ## Measure a graphics card (ARGS=--quick, --write); needs CuPy in .venv
	@$(BIN)/python benchmarks/gpu.py $(ARGS)

newcomer-research: kernel-too ## Time the way from an empty environment to a trained policy that beats random (ARGS="dist/genial-....whl" installs a wheel)
	$(BIN)/python -m tools.newcomer_research $(ARGS)

check-all: setup ## Run the long checks
	$(BIN)/python -m tools.full
	$(BIN)/python -m tools.full_kernel

soak: setup ## Kill the server 100 times while 200 games are played; nothing acknowledged may be lost
	$(BIN)/python -m tools.soak

soak-postgres: setup ## Do the same with two processes on one PostgreSQL, then with two machines whose connections are cut
	$(BIN)/python -m tools.soak --postgres
	$(BIN)/python -m tools.soak --postgres --think 2
	$(BIN)/python -m tools.hosts

migrate-full: setup ## Move 10,000 finished and 100 running games from a file to PostgreSQL and back
	$(BIN)/python -m tools.moving

bench-postgres: setup ## Measure durable moves on PostgreSQL with 1 and 2 processes, the cost of one more, and what tables and bots take
	@$(BIN)/python benchmarks/postgres_load.py $(filter --quick --json,$(ARGS))
	@$(BIN)/python benchmarks/process_curve.py $(filter --quick --json,$(ARGS))
	@$(BIN)/python benchmarks/sizing.py $(filter --quick --json,$(ARGS))

fuzz: setup ## Send the server 100,000 bad messages
	$(BIN)/python -m tools.fuzz --messages 100000

attack: setup ## Attack a server as an outsider would while others play, on SQLite and on PostgreSQL (ARGS="--against 4ecf47b")
	$(BIN)/python -m tools.attack $(ARGS)

golden: kernel-too ## Rewrite the golden counts, playthroughs, bots' choices and picture; read the diff before you commit it
	$(BIN)/python -m tools.golden
	$(BIN)/python docs/rules/diagrams.py

docs: $(DOCS_VENV)/.docs ## Build the documents and an API reference as a searchable site in build/docs/site/
	@$(DOCS_VENV)/bin/python -m tools.docs

web: $(CLIENT) ## Build the browser client into the package (Node comes from PyPI)

site: kernel $(CLIENT) ## Build the game in a page, as files for any web server, in build/site/ (FOLDER=... for another folder)
	@$(BIN)/genial site $(or $(FOLDER),build/site)

web-test: $(VENV)/.web ## Check the browser client's types and words, and run its tests
	$(BIN)/python hatch_build.py test

browser-test: short-games browser ## Run every browser test, in Debian's Chromium

two-processes: prepared ## Run the contract and all browser tests on two server processes
	GENIAL_PROCESSES=2 $(PYTEST) $(CONTRACT) tests/server/http/test_schema.py
	GENIAL_PROCESSES=2 $(BROWSER_PYTEST) tests/browser

momaland-test: $(MOMALAND_VENV)/.momaland ## Run MOMAland's own suite on our six objectives, in a separate environment
	$(MOMALAND_VENV)/bin/python -m pytest -q -rs tests/envs/test_six_objectives.py

page-tables: prepared ## Run the tests of tables over a page's port, without a server
	GENIAL_PAGE=1 $(PYTEST) $(PAGE_CONTRACT)

screens: setup $(CLIENT) chromium ## Take a picture of every screen for docs/screens/
	$(BIN)/python -m tools.screens

clip: setup $(CLIENT) chromium ## Film one move in the browser, for the README
	$(BIN)/python -m tools.clip

snapshots: setup $(CLIENT) chromium ## Store what a screen reader says on every screen; read the diff before you commit it
	GENIAL_WRITE_SNAPSHOTS=1 $(BIN)/pytest -n 2 -q tests/browser/test_screens.py

chromium: ## Install the browser for these tests, Debian's Chromium, if this user may
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		apt-get update --quiet=2 && { apt-get install --yes --quiet=2 --no-install-recommends chromium-headless-shell || \
		apt-get install --yes --quiet=2 --no-install-recommends chromium; }; } || \
		echo "No Chromium here, so browser tests are skipped. As root: apt-get install chromium-headless-shell"

# Unpacked and not installed, because the installed package would start to serve.
nginx: setup ## Unpack Debian's nginx into .venv, for a test of docs/hosting.md
	@PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null || test -x $(VENV)/nginx/usr/sbin/nginx || { \
		mkdir -p $(VENV)/nginx && cd $(VENV)/nginx && command -v apt-get >/dev/null && { \
			apt-get download --quiet=2 nginx 2>/dev/null || \
			{ test "$$(id -u)" = 0 && apt-get update --quiet=2 && apt-get download --quiet=2 nginx; }; } && \
		dpkg -x nginx_*.deb . && test -x usr/sbin/nginx; } || \
		echo "No nginx here, so its test is skipped. As root: apt-get install nginx"

web-lock: $(VENV)/.web ## Make web/package-lock.json from web/package.json, without host names
	$(BIN)/python hatch_build.py lock

COMPILE = $(UV) pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) pyproject.toml

# Each lock keeps the pins of the ones it is constrained by (-c).
lock: ## Make requirements/*.txt from pyproject.toml, with uv (UPGRADE=1 takes the newest versions)
	@test -n "$(UV)" || { echo "make lock needs uv: install it, for example with '$(PYTHON) -m pip install uv'." >&2; exit 1; }
	$(COMPILE) --group play -o requirements/play.txt
	$(COMPILE) --group dev -c requirements/play.txt -o requirements/dev.txt
	$(COMPILE) --group bench -c requirements/dev.txt --excludes requirements/bench-excludes.txt \
		-o requirements/bench.txt
	$(COMPILE) --group momaland -c requirements/dev.txt -c requirements/bench.txt --excludes requirements/bench-excludes.txt \
		-o requirements/momaland.txt
	$(filter-out pyproject.toml,$(COMPILE)) --group pyproject.toml:server -c requirements/dev.txt -o requirements/server.txt
	$(filter-out pyproject.toml,$(COMPILE)) --group pyproject.toml:kernel -c requirements/dev.txt -o requirements/kernel.txt
	$(filter-out pyproject.toml,$(COMPILE)) --group pyproject.toml:web -o requirements/web.txt
	$(filter-out pyproject.toml,$(COMPILE)) --group pyproject.toml:page -c requirements/play.txt -o requirements/page.txt
	$(filter-out pyproject.toml,$(COMPILE)) --group pyproject.toml:docs -c requirements/dev.txt -o requirements/docs.txt

audit: $(VENV)/.web ## Look for known vulnerabilities in the pinned packages, and say what couldn't be looked up
	$(BIN)/python tools/audit.py

clean: ## Remove the environments and everything generated
	rm -rf $(VENV) $(BENCH_VENV) $(DOCS_VENV) $(MOMALAND_VENV) .venv-kernel build web/node_modules web/src/paraglide src/genial/server/client \
		src/genial/kernel/library dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps .play, .dev, .web, .docs, .kernel, .bench and .momaland say which lock is installed in an environment. The
# dev lock includes those of play and the kernel.

$(VENV)/.play: $(VENV)/pyvenv.cfg pyproject.toml requirements/play.txt
	$(call install_locked,$(VENV),requirements/play.txt)
	@touch $@

$(VENV)/.dev: $(VENV)/pyvenv.cfg pyproject.toml requirements/dev.txt
	$(call install_locked,$(VENV),requirements/dev.txt)
	@touch $@ $(VENV)/.play $(VENV)/.kernel

$(BENCH_VENV)/.bench: $(BENCH_VENV)/pyvenv.cfg pyproject.toml requirements/bench.txt
	$(call install_locked,$(BENCH_VENV),requirements/bench.txt)
	@# pip compiles what it installs, uv doesn't, and the time a program takes to start is measured.
	@$(BENCH_VENV)/bin/python -m compileall -q $(BENCH_VENV)/lib >/dev/null || true
	@touch $@

$(MOMALAND_VENV)/.momaland: $(MOMALAND_VENV)/pyvenv.cfg pyproject.toml requirements/momaland.txt
	$(call install_locked,$(MOMALAND_VENV),requirements/momaland.txt)
	@touch $@

$(KERNEL_VENV)/.kernel: $(KERNEL_VENV)/pyvenv.cfg requirements/kernel.txt
	@echo "Installing requirements/kernel.txt into $(KERNEL_VENV) ..."
	@$(call install,$(KERNEL_VENV)) --no-deps --require-hashes -r requirements/kernel.txt
	@touch $@

$(KERNEL): $(KERNEL_VENV)/.kernel $(KERNEL_SOURCES)
	@echo "Compiling the kernel ..."
	@PYTHONPATH=src $(KERNEL_VENV)/bin/python -m tools.kernel native wasm
	@touch $@

$(KERNEL_GPU): $(KERNEL_VENV)/.kernel $(KERNEL_SOURCES) $(addprefix src/genial/kernel/gpu/,kernels.py text.py)
	@echo "Compiling the kernel for graphics cards ..."
	@PYTHONPATH=src $(KERNEL_VENV)/bin/python -m tools.kernel ptx

$(DOCS_VENV)/.docs: $(DOCS_VENV)/pyvenv.cfg requirements/docs.txt
	@echo "Installing requirements/docs.txt into $(DOCS_VENV) ..."
	@$(call install,$(DOCS_VENV)) --no-deps --require-hashes -r requirements/docs.txt
	@touch $@

# The client's types are generated from the server's. The file is written only if they have changed.
$(CLIENT): $(VENV)/.web $(WEB_SOURCES)
	@$(BIN)/python -m genial.server.http.openapi --typescript > web/.api.ts
	@cmp -s web/.api.ts web/src/lib/api.ts || cp web/.api.ts web/src/lib/api.ts
	@rm web/.api.ts
	@echo "Building the browser client ..."
	@$(BIN)/python hatch_build.py build
	@touch $@

# Node, in addition to what the environment has.
$(VENV)/.web: $(VENV)/.play requirements/web.txt
	@echo "Installing requirements/web.txt into $(VENV) ..."
	@$(call install,$(VENV)) --no-deps --require-hashes -r requirements/web.txt
	@touch $@

# If an environment's Python is gone, the environment is recreated.
$(VENV)/pyvenv.cfg: $(shell test -x $(VENV)/bin/python || echo FORCE)
$(BENCH_VENV)/pyvenv.cfg: $(shell test -x $(BENCH_VENV)/bin/python || echo FORCE)
$(DOCS_VENV)/pyvenv.cfg: $(shell test -x $(DOCS_VENV)/bin/python || echo FORCE)
$(MOMALAND_VENV)/pyvenv.cfg: $(shell test -x $(MOMALAND_VENV)/bin/python || echo FORCE)
.venv-kernel/pyvenv.cfg: $(shell test -x .venv-kernel/bin/python || echo FORCE)
FORCE:

$(VENV)/pyvenv.cfg $(BENCH_VENV)/pyvenv.cfg $(DOCS_VENV)/pyvenv.cfg $(MOMALAND_VENV)/pyvenv.cfg .venv-kernel/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Genial needs Python 3.11 or later, and '$(PYTHON)' is missing or older. Install one," \
			"or name one you have: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' cannot make virtual environments. Install its venv module" \
			"(Debian, Ubuntu: the package python3-venv)." >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(@D)
