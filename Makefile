# Two commands a newcomer needs: `make demo` and `make test`. Each makes its own .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check
DATA ?= ../shared/data

.PHONY: demo docs test lint test-nocompiler test-oldest test-browser test-spark dist gate clean hostile asan fuzz

$(VENV)/.done-core: pyproject.toml setup.py $(wildcard src/sitegrain/native/*.h src/sitegrain/native/c/*.[ch] src/sitegrain/native/c/*/*.[ch])
	test -x $(BIN)/python || $(PYTHON) -m venv --upgrade-deps $(VENV)
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
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The package as it is where no C compiler is: built apart, so that the compiled one stays as it is.
test-nocompiler: $(VENV)/.done-dev
	rm -rf build
	CC=false $(INSTALL) --no-deps --target build/nocompiler .
	test -z "$$(find build/nocompiler -name '_core*.so')"
	PYTHONPATH=build/nocompiler $(BIN)/python -m pytest -n 2 --dist worksteal -p no:cacheprovider tests/native tests/extractor tests/result/test_extracting.py

# The oldest versions of other packages that pyproject.toml allows (`uv` finds them; pip cannot), in an environment of their own.
test-oldest: $(VENV)/.done-core
	$(PYTHON) -m venv build/oldest && build/oldest/bin/python -m pip install -q uv
	build/oldest/bin/uv pip install -q --python build/oldest/bin/python --resolution lowest-direct --only-binary :all: --no-binary sitegrain '.[dev]'
	PYTHONPATH=src build/oldest/bin/python -m pytest -n 2 --dist worksteal -p no:cacheprovider

# Needs a Chromium on the machine; without one the tests say that they were skipped.
test-browser: $(VENV)/.done-dev $(VENV)/.done-render $(VENV)/.done-web
	$(BIN)/python -m pytest -m browser -rs tests

# Needs Java; without it the tests say that they were skipped.
test-spark: $(VENV)/.done-dev $(VENV)/.done-spark
	$(BIN)/python -m pytest -m spark -rs tests/spark

# Hostile pages of 1 MB with ceilings of 3 s and 400 MB each (`tests/hostile`); MINUTES=2 takes a sample by chance.
hostile: $(VENV)/.done-dev
	$(BIN)/python -m tests.hostile.measure $(if $(MINUTES),--minutes $(MINUTES)) $(if $(CEILING),--ceiling $(CEILING))

# Bytes changed by chance for every reader; what fails is kept in tests/hostile/crashes.
SECONDS ?= 60
fuzz: $(VENV)/.done-dev
	$(BIN)/python -m tests.hostile.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

# The C core with the address and undefined-behaviour sanitizers, built apart, under its tests and the corpus.
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1
asan: $(VENV)/.done-dev
	rm -rf build/asan && mkdir -p build/asan && cp -r src setup.py pyproject.toml README.md LICENSE build/asan/
	rm -f build/asan/src/sitegrain/native/_core*.so
	cd build/asan && CFLAGS="$(SANITIZE)" LDFLAGS="$(SANITIZE)" $(abspath $(BIN))/python setup.py -q build_ext --inplace
	PYTHONPATH=build/asan/src LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc $(BIN)/python -m pytest -p no:cacheprovider tests/native tests/hostile/test_corpus.py \
	tests/hostile/test_fuzz.py tests/hostile/test_findings.py tests/tables/parsing/test_parse.py tests/tables/parsing/test_plain.py

# Source archive and wheel, and the wheel at work in an empty environment outside of this folder.
dist: $(VENV)/.done-dev
	rm -rf dist build
	$(BIN)/python -m build --outdir dist . > /dev/null
	.ci/try-wheel dist/*.whl

# FOLDS=folder of models out of fold (`python -m sitegrain.training content`) checks the floors out of fold too.
gate: $(VENV)/.done-dev
	$(BIN)/python -m sitegrain.evaluation.gate --data $(DATA) $(foreach folder,$(FOLDS),--out-of-fold $(folder))

# The reference of functions and classes, from their docstrings: build/docs/index.html.
docs: $(VENV)/.done-dev
	$(BIN)/pdoc --output-directory build/docs sitegrain

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/sitegrain/native/_core*.so .mypy_cache .ruff_cache .pytest_cache
