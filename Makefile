# Needs python3 (3.11 or newer, with venv) and make. Everything else is installed into .venv, from lock files with hashes.

PYTHON ?= python3
GAME ?=
BIN := .venv/bin

# Trust the certificates which the system trusts.
export UV_SYSTEM_CERTS := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play serve test check lint types imports docs doctest quick bench soak lock clean

help: ## list what can be made
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12

play: .venv/play.stamp ## play in the terminal: make play GAME=dollar-bill
	@$(BIN)/liarspoker play $(GAME)

serve: ## the web app (yet to come)
	@echo "The web app is yet to come; 'make play' plays in the terminal."

test: .venv/dev.stamp ## run every test, the slow ones too
	$(BIN)/pytest -n auto

check: lint types imports docs doctest quick ## all that must pass before a commit: the six below

lint: .venv/dev.stamp ## style and format of the sources (ruff)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/dev.stamp ## strict typing (mypy)
	$(BIN)/mypy --strict

imports: .venv/dev.stamp ## which room may import which (import-linter)
	$(BIN)/lint-imports

docs: .venv/dev.stamp ## build the documents into build/docs; a warning is an error
	$(BIN)/sphinx-build -q -W --keep-going -b html -d build/doctrees docs build/docs

doctest: .venv/dev.stamp ## run the examples in the docstrings
	$(BIN)/pytest -q --doctest-modules src

quick: .venv/dev.stamp ## run the tests which are not slow, with few examples of each law, for the coverage floor
	HYPOTHESIS_PROFILE=quick $(BIN)/pytest -n auto -m "not slow" --cov

bench: .venv/dev.stamp ## run every benchmark
	@for bench in benchmarks/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

soak: .venv/dev.stamp ## run the property tests with 20,000 examples each (long)
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n auto -m hypothesis

# Pins stay as they are unless requirements/*.in ask otherwise; `make lock UPGRADE=--upgrade` renews them all.
COMPILE = cd requirements && ../$(BIN)/uv pip compile -q $(UPGRADE) --universal --generate-hashes \
	--python-version 3.11 --custom-compile-command "make lock"
lock: .venv/uv.stamp ## pin requirements/*.in into requirements/*.txt
	$(COMPILE) uv.in -o uv.txt
	$(COMPILE) play.in -o play.txt
	$(COMPILE) dev.in -o dev.txt

clean: ## remove .venv and all that was built
	rm -rf .venv build dist .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is newer than what it was made from when that is installed.
.venv/uv.stamp: requirements/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit("liarspoker needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@echo "Setting up .venv (once; about half a minute) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Two steps, since hashes can be asked of everything but of the package itself. The version is read from __init__.py
# when the package is installed.
.venv/%.stamp: requirements/%.txt pyproject.toml src/liarspoker/__init__.py .venv/uv.stamp
	@$(BIN)/uv pip install -q --python $(BIN)/python --require-hashes -r $<
	@$(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@
