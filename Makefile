# Two commands a newcomer needs: `make demo` and `make test`. Each makes its own .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check
DATA ?= ../shared/data

.PHONY: demo test lint test-nocompiler test-browser dist gate clean

$(VENV)/.done-core: pyproject.toml setup.py $(wildcard src/sitegrain/native/*.[ch])
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[crawl]'
	touch $@

$(VENV)/.done-%: $(VENV)/.done-core
	$(INSTALL) -e '.[$*]'
	touch $@

demo: $(VENV)/.done-core
	$(BIN)/python -m sitegrain.demo

lint: $(VENV)/.done-dev
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest -n 2

# The package as it is where no C compiler is: built apart, so that the compiled one stays as it is.
test-nocompiler: $(VENV)/.done-dev
	rm -rf build
	CC=false $(INSTALL) --no-deps --target build/nocompiler .
	test -z "$$(find build/nocompiler -name '_core*.so')"
	PYTHONPATH=build/nocompiler $(BIN)/python -m pytest -n 2 -p no:cacheprovider tests/native tests/extractor tests/result/test_extracting.py

# Needs a Chromium on the machine; without one the tests say that they were skipped.
test-browser: $(VENV)/.done-dev $(VENV)/.done-render $(VENV)/.done-web
	$(BIN)/python -m pytest -m browser -rs tests

# Source archive and wheel, and the wheel at work in an empty environment outside of this folder.
dist: $(VENV)/.done-dev
	rm -rf dist build
	$(BIN)/python -m build --outdir dist . > /dev/null
	.ci/try-wheel dist/*.whl

# FOLDS=folder of models out of fold (`python -m sitegrain.training content`) checks the floors out of fold too.
gate: $(VENV)/.done-dev
	$(BIN)/python -m sitegrain.evaluation.gate --data $(DATA) $(foreach folder,$(FOLDS),--out-of-fold $(folder))

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/sitegrain/native/_core*.so .mypy_cache .ruff_cache .pytest_cache
