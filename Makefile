# Everything a newcomer types: `make demo`, `make test`. All set-up happens by itself, in .venv.

PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
DEMO_READY := $(VENV)/.demo-ready
DOCS_READY := $(VENV)/.docs-ready

.PHONY: demo test quick pure golden lint docs reference browser peers format check clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    crawl the news site that comes with the project, on this machine, and show what came out"
	@echo "make test    run the tests"
	@echo "make quick   run those that start no process: no command, crawl, worker or PostgreSQL (two to three minutes on two cores)"
	@echo "make pure    run those of pages and extraction without the compiled core: the Python that it must agree with"
	@echo "make golden  write the stored outputs of tests/golden anew, and show what changed"
	@echo "make lint    ruff, mypy, import-linter"
	@echo "make docs    build the documentation as a site in build/docs"
	@echo "make reference  write the pages of docs/ that are made from the code"
	@echo "make browser install what tests the pages in Chromium, which Debian has"
	@echo "make peers   install other people's extractors, which python -m benchmarks.quality measures beside ours"
	@echo "make clean   remove .venv and build; databases stay"

# What is compiled, and the Python sources it must agree with: newscrawl/compiled.py is the one list of them.
CORE := hatch_build.py newscrawl/compiled.py $(shell $(PYTHON) -c \
	'import runpy; print(*{path for paths in runpy.run_path("newscrawl/compiled.py")["SOURCES"].values() for path in paths})')

# $(1) is the extras to install, $(2) how long that takes.
define SET_UP
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "newscrawl needs Python 3.11 or later; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12"; exit 2; }
@echo "setting up $(VENV) (once, $(2)) ..."
@$(PYTHON) -m venv $(VENV)
@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[$(1)]'
@touch $@
endef

$(READY): pyproject.toml constraints.txt $(CORE)
	$(call SET_UP,dev,two to five minutes)

# What the demo needs, and not what the tests need.
$(DEMO_READY): pyproject.toml constraints.txt $(CORE)
	$(call SET_UP,web,about a minute and a half)

demo: $(if $(wildcard $(READY)),$(READY),$(DEMO_READY))
	@echo "crawling the demo site, about 15 seconds"
	@$(VENV)/bin/scrapy crawl demo
	@$(VENV)/bin/newscrawl search --update
	@echo "look at it in the browser: $(VENV)/bin/newscrawl web"

# Two processes more than there are cores: tests of crawls wait for pauses of politeness, for leases, for servers.
CORES := $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')
PROCESSES := $(shell expr $(CORES) + 2)

# Tests start hundreds of processes: where Python is told to write no byte code, each would compile all of it again.
define WRITE_BYTE_CODE
@$(VENV)/bin/python -m compileall -q -j 0 newscrawl benchmarks pipelines settings spiders tests/support
endef

test: $(READY)
	$(WRITE_BYTE_CODE)
	PYTHONDONTWRITEBYTECODE= $(VENV)/bin/pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder

# These hardly wait, as their databases are not forced to the disk (tests/support/schema.py). One process more than
# there are cores still took 138 s instead of 153 s. A fifth of the examples of tests with drawn input.
quick: $(READY)
	$(WRITE_BYTE_CODE)
	PYTHONDONTWRITEBYTECODE= $(VENV)/bin/pytest -n $(shell expr $(CORES) + 1) --dist loadfile --no-loadscope-reorder -m 'not process' \
		--hypothesis-profile=quick

# They wait for nothing: as many processes as cores.
pure: $(READY)
	PYTHONDONTWRITEBYTECODE= NEWSCRAWL_PURE=1 $(VENV)/bin/pytest -n $(CORES) --dist loadfile --no-loadscope-reorder \
		tests/page tests/extraction

# The same tests compare when NEWSCRAWL_GOLDEN is not set (tests/support/golden.py).
golden: $(READY)
	NEWSCRAWL_GOLDEN=write PYTHONDONTWRITEBYTECODE= $(VENV)/bin/pytest -q -n $(CORES) --dist loadfile tests/golden
	@git add --intent-to-add tests/golden
	git --no-pager diff --stat -- tests/golden
	git --no-pager diff -- tests/golden

lint: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

# The extra `docs` alone: an editable installation would build the compiled core again.
$(DOCS_READY): $(READY)
	@$(VENV)/bin/python -c 'import tomllib; from pathlib import Path; \
		print(*tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["docs"], sep="\n")' \
		> $(VENV)/docs-requirements.txt
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r $(VENV)/docs-requirements.txt
	@touch $@

docs: $(DOCS_READY)
	@$(VENV)/bin/python -m sphinx -q -W --keep-going -b html docs build/docs
	@echo "build/docs/index.html"

reference: $(READY)
	@$(VENV)/bin/python -m docs._scripts

# The driver of Chromium for the tests of the pages; without it they are skipped.
browser: $(READY)
	@$(VENV)/bin/python -c 'import tomllib; from pathlib import Path; \
		print(*tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["browser"], sep="\n")' \
		> $(VENV)/browser-requirements.txt
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r $(VENV)/browser-requirements.txt

peers: $(READY)
	@$(VENV)/bin/python -m pip install --quiet --upgrade 'pip>=24'  # pip 23 fails on two extras of lxml at once
	@$(VENV)/bin/python -m pip install --quiet -c constraints.txt -e '.[bench]'

format: $(READY)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

clean:
	rm -rf $(VENV) build
