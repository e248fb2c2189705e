# Tabia: build it, run it, test it. `make help` lists what there is.
# CARGO_TARGET_DIR says where things are built (default: target); FUZZ_RUNS how long each fuzz target runs;
# PREFIX (and DESTDIR before it, for packagers) where things are installed.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
PYTHON := .venv/bin/python
export CARGO_TARGET_DIR ?= target
export PATH := $(PATH):/usr/games

TABIA := $(CARGO_TARGET_DIR)/release/tabia
FUZZ_TARGETS := $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))
FUZZ_RUNS ?= 1000000

# Where public test data lies, if anywhere.
TABIA_DATA ?= $(wildcard $(abspath ../shared/data))

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The page is part of the binary, so it comes first. It is built anew only when its sources changed.
WEB_SOURCES := $(shell find web/src web/public web/index.html web/*.ts web/*.js web/package.json -type f 2>/dev/null)

web/node_modules/.installed: web/package-lock.json
	@command -v npm >/dev/null || { echo "the page needs Node.js 20.19 or later, with npm"; exit 1; }
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# Where Node.js is missing, a page that somebody else built will do: one that is there, or that of a release.
ifneq ($(shell command -v npm),)
web/dist/index.html: web/node_modules/.installed $(WEB_SOURCES)
	cd web && npm run --silent build
	@touch $@ crates/server/build.rs
else
PAGE_ARCHIVE := $(firstword $(wildcard tabia-*-page.tar.gz))
web/dist/index.html: $(PAGE_ARCHIVE)
	@if [ -n "$(PAGE_ARCHIVE)" ]; then \
	    mkdir -p web/dist && tar -xzf $(PAGE_ARCHIVE) -C web/dist && touch $@ crates/server/build.rs; \
	elif [ ! -e $@ ]; then \
	    echo "the page needs Node.js 20.19 or later, with npm; or put a release's tabia-VERSION-page.tar.gz here"; exit 1; \
	fi
endif

.PHONY: web
web: web/dist/index.html ## the page, web/dist

.PHONY: rust
rust:
	@command -v $(CARGO) >/dev/null || { \
	    echo "Rust is missing; install it with: curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"; exit 1; }

# The documentation is part of the binary, too, where mdBook is there to build it: on the PATH, or among the packages of the tests.
SITE := $(if $(shell PATH="$$PATH:.venv/bin" command -v mdbook),$(CARGO_TARGET_DIR)/site.built)
SITE_SOURCES := $(shell find docs README.md tools/site.py crates/python/python examples/notebooks -type f ! -path '*/__pycache__/*' 2>/dev/null)
$(CARGO_TARGET_DIR)/site.built: web/dist/index.html $(SITE_SOURCES)
	@tools/site.py web/dist/docs
	@mkdir -p $(@D) && touch $@

.PHONY: build
build: rust web $(SITE) ## the optimised binary, release/tabia in the target directory
	$(CARGO) build --release -p tabia --locked

.PHONY: run
run: build ## start the laboratory on http://localhost:8050
	$(TABIA) serve

# What was built is installed: the binary, and what it says of itself to shells and to `man`.
PREFIX ?= /usr/local
BIN = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
MAN = $(SHARE)/man/man1
BASH_COMPLETION = $(SHARE)/bash-completion/completions/tabia
ZSH_COMPLETION = $(SHARE)/zsh/site-functions/_tabia
FISH_COMPLETION = $(SHARE)/fish/vendor_completions.d/tabia.fish

.PHONY: install
install: ## put the built binary, its completions and manual under PREFIX (/usr/local)
	@test -x $(TABIA) || { echo "there is no $(TABIA): \`make build\` first"; exit 1; }
	install -d $(BIN) $(MAN) $(dir $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION))
	install -m 755 $(TABIA) $(BIN)/tabia
	$(TABIA) completions bash > $(BASH_COMPLETION)
	$(TABIA) completions zsh > $(ZSH_COMPLETION)
	$(TABIA) completions fish > $(FISH_COMPLETION)
	$(TABIA) man -o $(MAN)
	chmod 644 $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(MAN)/tabia.1 $(MAN)/tabia-*.1

.PHONY: uninstall
uninstall: ## remove what `make install` put under PREFIX
	rm -f $(BIN)/tabia $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(MAN)/tabia.1 $(MAN)/tabia-*.1

# By maturin where it is installed, as releases and `pip install .` do it. Elsewhere by tools/wheel.py, from a library that is
# built together with the binary.
WHEELS := $(CARGO_TARGET_DIR)/wheels
.PHONY: wheel
wheel: build ## the Python package, wheels/*.whl in the target directory
	@rm -f $(WHEELS)/tabia-*.whl # one of an earlier version or platform would be installed with it
	@if PATH="$$PATH:.venv/bin" command -v maturin >/dev/null; then \
	    set -x; PATH="$$PATH:.venv/bin" maturin build --release --locked --out $(WHEELS); \
	else \
	    set -x; $(CARGO) build --release -p tabia -p tabia-python --locked; \
	    python3 tools/wheel.py $(CARGO_TARGET_DIR)/release/lib_native.so $(WHEELS); \
	fi

.PHONY: deb
deb: build ## a Debian package, tabia_*.deb in the target directory
	@tools/deb.sh $(TABIA) $(CARGO_TARGET_DIR)

.PHONY: dist
dist: ## everything that a release carries, dist/ in the target directory
	@tools/dist.sh $(CARGO_TARGET_DIR)/dist

# Static binaries for Linux, as `make dist` packs them (docs/adr/0020-two-builds.md); C code needs musl-gcc.
MUSL := $(shell uname -m)-unknown-linux-musl
.PHONY: musl musl-v3
musl: rust web $(SITE) ## a static binary for every processor, musl/*/release/tabia in the target directory
	RUSTFLAGS="$(if $(filter x86_64-%,$(MUSL)),-C target-cpu=x86-64)" \
	    $(CARGO) build --release -p tabia --locked --target $(MUSL) --target-dir $(CARGO_TARGET_DIR)/musl

musl-v3: rust web $(SITE) ## the same for x86-64-v3 (processors since 2013), musl-v3/*/release/tabia
	RUSTFLAGS="-C target-cpu=x86-64-v3" \
	    $(CARGO) build --release -p tabia --locked --target x86_64-unknown-linux-musl --target-dir $(CARGO_TARGET_DIR)/musl-v3

.PHONY: reproducible
reproducible: rust web $(SITE) ## build the release binary twice in different folders, and compare their SHA-256
	@tools/reproducible_build.sh

.PHONY: site
site: ## the documentation as a site within the page, web/dist/docs (needs mdBook)
	@tools/site.py web/dist/docs

# Not within the page: it would be the larger part of the binary.
.PHONY: site-rustdoc
site-rustdoc: doc ## the same with the Rust reference, site/ in the target directory
	@tools/site.py $(CARGO_TARGET_DIR)/site $(CARGO_TARGET_DIR)/doc

STAGES := deps fmt-check lint test-rust test-web test-peers test-python test-browser

.PHONY: test
test: ## everything that must pass in any clone, stage by stage; failures are listed at the end
	@failed=; \
	for stage in $(STAGES); do \
	    started=$$SECONDS; \
	    printf '\n--- %s\n' $$stage; \
	    if $(MAKE) --no-print-directory $$stage; then verdict=passed; else verdict=FAILED; failed="$$failed $$stage"; fi; \
	    printf -- '--- %s: %s in %d s\n' $$stage $$verdict $$((SECONDS - started)); \
	done; \
	if [ -n "$$failed" ]; then printf '\nfailed:%s\n' "$$failed"; exit 1; fi

# What differs from BASE: formatting, lints and the tests of the crates that changed, and of the page if it changed.
BASE ?= HEAD
.PHONY: quick
quick: ## formatting, lints and tests of what changed since BASE (HEAD)
	$(CARGO) fmt --all --check
	@crates=$$(tools/changed-crates.sh $(BASE)); \
	if [ -z "$$crates" ]; then echo "no crate differs from $(BASE)"; exit 0; fi; set -x; \
	$(CARGO) clippy $$crates --all-targets --locked -- -D warnings; \
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
	    $(CARGO) nextest run $$crates --locked --no-fail-fast --no-tests=pass; \
	else \
	    $(CARGO) test $$crates --all-targets --locked --no-fail-fast; \
	fi
	@if ! git diff --quiet $(BASE) -- web; then $(MAKE) --no-print-directory test-web; fi

.PHONY: hooks
hooks: ## run make quick before each commit
	git config core.hooksPath tools/hooks

.PHONY: deps
deps: ## install what the tests need, where it is missing
	@tools/deps.sh

.PHONY: fmt
fmt: ## format the code
	$(CARGO) fmt --all

.PHONY: fmt-check
fmt-check:
	$(CARGO) fmt --all --check

.PHONY: lint
lint: ## clippy, and the licences of all dependencies
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	@if $(CARGO) deny --version >/dev/null 2>&1; then \
	    $(CARGO) deny --log-level error check licenses bans sources; \
	else \
	    echo "cargo-deny is not installed: licences not checked"; \
	fi

.PHONY: test-rust
test-rust: ## unit, property and documentation tests
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	    set -x; $(CARGO) nextest run --workspace --locked --no-fail-fast; \
	else \
	    set -x; $(CARGO) test --workspace --all-targets --locked --no-fail-fast; \
	fi
	$(CARGO) test --doc --workspace --locked

.PHONY: test-web
test-web: web/node_modules/.installed ## the page: types, lints, unit tests
	cd web && npm run --silent check && npm run --silent lint && npm test --silent

.PHONY: test-browser
test-browser: build deps ## the page in a real browser, against the binary
	cd web && TABIA=$(abspath $(TABIA)) npm run --silent e2e

.PHONY: test-peers
test-peers: build deps ## python-chess and Stockfish against the binary
	TABIA=$(abspath $(TABIA)) $(PYTHON) -m pytest -q -n 2 --dist loadfile tests/peers

.PHONY: test-python
test-python: wheel deps ## the Python package, installed from its wheel
	@rm -rf $(CARGO_TARGET_DIR)/python # pip replaces nothing in a target
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall \
	    --target $(CARGO_TARGET_DIR)/python $(WHEELS)/tabia-*.whl 2>/dev/null || \
	    { echo "the wheel cannot be installed"; exit 1; }
	PYTHONPATH=$(abspath $(CARGO_TARGET_DIR)/python) $(PYTHON) -m pytest -q tests/python

.PHONY: test-data
test-data: ## the ignored tests, on public data, where TABIA_DATA or ../shared/data has it
ifeq ($(TABIA_DATA),)
	@echo "no test data: set TABIA_DATA to its folder"
else
	@export TABIA_DATA=$(abspath $(TABIA_DATA)); \
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
	    set -x; $(CARGO) nextest run --workspace --locked --no-fail-fast --run-ignored only; \
	else \
	    set -x; $(CARGO) test --workspace --all-targets --locked --no-fail-fast -- --ignored; \
	fi
endif

.PHONY: bench
bench: ## instruction counts and times of the search's parts
	$(CARGO) bench -p tabia-search

.PHONY: fuzz
fuzz: ## throw random input at every parser (needs nightly and cargo-fuzz)
	@for target in $(FUZZ_TARGETS); do \
	    mkdir -p fuzz/corpus/$$target; \
	    ( set -x; $(CARGO) +nightly fuzz run $$target fuzz/corpus/$$target fuzz/seeds/$$target -- \
	        -runs=$(FUZZ_RUNS) -max_len=512 -dict=fuzz/dictionaries/$$target.dict ); \
	done

# How much of everything: 10 is ten times as many kills, flips, lines and games.
# The fuzzer is built together with the binary, so that what both use is compiled once.
TORTURE ?= 1
.PHONY: torture
torture: build deps ## repeat the attacks of docs/threat-model.md, and print one table (TORTURE=10 for longer)
	$(CARGO) build --release -p tabia -p tabia-fuzzing --example mutate --locked
	TABIA=$(abspath $(TABIA)) $(PYTHON) tools/torture.py --scale $(TORTURE)

# The bill of materials needs no network; the database of advisories does, and so does cargo-deny where it is not installed.
.PHONY: advisories
advisories: rust ## known holes in dependencies, and a bill of materials (SBOM), tabia.cdx.json in the target directory
	@mkdir -p $(CARGO_TARGET_DIR)
	python3 tools/sbom.py tabia > $(CARGO_TARGET_DIR)/tabia.cdx.json
	@$(CARGO) deny --version >/dev/null 2>&1 || { echo "cargo-deny is missing: cargo install --locked cargo-deny"; exit 1; }
	$(CARGO) deny check advisories

.PHONY: ladder
ladder: build deps ## a rating list of our agents and the engines that Debian packages, into runs/ladder
	TABIA=$(abspath $(TABIA)) $(PYTHON) tools/ladder.py

.PHONY: doc
doc: ## the documentation of the crates
	$(CARGO) doc --workspace --no-deps --locked

.PHONY: clean
clean: ## remove what was built
	$(CARGO) clean
	rm -rf .venv web/dist web/node_modules
