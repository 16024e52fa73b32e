# Two commands a newcomer needs: `make demo` and `make test`. Each makes its own .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data

.PHONY: demo test lint check gate bench clean test-browser

$(VENV)/.done-core: pyproject.toml setup.py $(wildcard src/sitegrain/native/*.[ch])
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	touch $@

$(VENV)/.done-dev: $(VENV)/.done-core
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(VENV)/.done-core
	$(BIN)/python -m sitegrain.demo

lint: $(VENV)/.done-dev
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest -n 2

$(VENV)/.done-render: $(VENV)/.done-dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[render,web]'
	touch $@

# Needs a Chromium on the machine; without one the tests say that they were skipped.
test-browser: $(VENV)/.done-render
	$(BIN)/python -m pytest -m browser -rs tests

# FOLDS=folder of models out of fold (`python -m sitegrain.training content`) checks the floors out of fold too.
gate: $(VENV)/.done-dev
	$(BIN)/python -m sitegrain.evaluation.gate --data $(DATA) $(foreach folder,$(FOLDS),--out-of-fold $(folder))

clean:
	rm -rf $(VENV) build src/*.egg-info src/sitegrain/native/_core*.so .mypy_cache .ruff_cache .pytest_cache
