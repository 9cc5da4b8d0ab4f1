# headerd: everything is done from here. `make help` lists the targets.
#
# Missing Debian packages are installed by the targets that need them (as root, or through sudo).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

SWIFT ?= swift
CONFIGURATION ?= release
PREFIX ?= /usr/local
TRACES ?= Tests/Conformance/Traces
BENCH ?=
RESULTS ?= .build/bench
TIME ?= 60
SEED ?=
FLAGS := --explicit-target-dependency-import-check error
BIN = $(shell $(SWIFT) build -c $(CONFIGURATION) --show-bin-path)

# Every folder under Plugins is one plugin, of that name; the examples in other languages are built by `make examples`.
PLUGINS := $(filter-out Examples,$(notdir $(wildcard Plugins/*)))

# What building needs, and what tests need beside it: package, and a command that succeeds when it is there.
BUILD_PACKAGES := libuv1-dev libtomlplusplus-dev
TEST_PACKAGES := $(BUILD_PACKAGES) python3 valgrind
# The clients' types are checked, too. Of Node and Rust any will do: COMMAND:PACKAGE.
CLIENT_PACKAGES := python3 python3-setuptools python3-wheel mypy node-typescript
CLIENT_TOOLS := node:nodejs rustc:rustc

.PHONY: help build run test test-clients fuzz examples conformance manual docs bench bench-micro bench-end-to-end lint test-asan test-tsan install clean packages test-packages client-packages

help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# $(call install,PACKAGES): installs those that are missing.
define install
	missing=""; for package in $(1); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "installing$$missing"; \
	  root=""; [ "$$(id -u)" = 0 ] || root=sudo; \
	  $$root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$root apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
endef

packages:
	@$(call install,$(BUILD_PACKAGES))

test-packages:
	@$(call install,$(TEST_PACKAGES))

client-packages:
	@$(call install,$(CLIENT_PACKAGES) $(foreach tool,$(CLIENT_TOOLS),$(if $(shell command -v $(firstword $(subst :, ,$(tool)))),,$(lastword $(subst :, ,$(tool))))))

build: packages ## Build the daemon, headerctl and the plugins (CONFIGURATION=debug for a debug build)
	@$(SWIFT) build -c $(CONFIGURATION) $(FLAGS)

run: build ## Start the daemon, stream a recorded scroll and show the header moving; ends by itself
	@HEADERD_PLUGIN_PATH=$(BIN) config/demo/run $(BIN)

test: lint test-packages ## Check the format, run all tests and recordings; count allocations, and how requests grow
	@$(SWIFT) build --build-tests $(FLAGS)
	@$(SWIFT) test --skip-build --disable-xctest
	@HEADERD_TEST_THREADS=2 $(SWIFT) test --skip-build --disable-xctest --filter '^IntegrationTests'
	@$(MAKE) --no-print-directory conformance
	@$(MAKE) --no-print-directory test-clients
	@$(BIN)/headerd-bench --no-instructions --thresholds Tests/Benchmarks/thresholds.json >/dev/null
	@$(BIN)/headerd-bench --growth

test-clients: packages client-packages ## Hold the same conversations with the clients of all languages, and run what their pages print
	@$(SWIFT) build -c $(CONFIGURATION) $(FLAGS) >&2
	@Tests/Clients/run.py $(BIN)

fuzz: test-packages ## Send spoiled messages with new seeds for TIME=60 seconds (SEED=N begins there); tells the message that hurts
	@$(SWIFT) build --build-tests $(FLAGS)
	@HEADERD_FUZZ_SECONDS=$(TIME) HEADERD_FUZZ_SEED=$(SEED) HEADERD_FUZZ_LAST=$(CURDIR)/.build/fuzz-last \
	  $(SWIFT) test --skip-build --disable-xctest --filter 'FuzzTests/untilTheTimeIsOver' || \
	  { echo "The last message:"; head -c 8000 .build/fuzz-last; exit 1; }

examples: ## Build the behaviors in C and Rust, into .build/examples
	@$(MAKE) --no-print-directory -C Plugins/Examples/C BUILD=$(CURDIR)/.build/examples
	@$(MAKE) --no-print-directory -C Plugins/Examples/Rust BUILD=$(CURDIR)/.build/examples

conformance: packages ## Run every recording under TRACES=FOLDER against the plugins as built
	@$(SWIFT) build -c $(CONFIGURATION) $(FLAGS) >&2
	@$(BIN)/conformance --plugins $(BIN) $(TRACES)

bench: bench-micro bench-end-to-end ## Measure everything: part by part, then from socket to socket (BENCH=--quick is short)

bench-micro: packages ## What an event costs, part by part; fails above Tests/Benchmarks/thresholds.json
	@$(call install,valgrind)
	@$(SWIFT) build -c release $(FLAGS) >&2
	@$$($(SWIFT) build -c release --show-bin-path)/headerd-bench --thresholds Tests/Benchmarks/thresholds.json

bench-end-to-end: packages ## What a state costs, beside a C relay and brokers; table, JSON and chart go to RESULTS
	@$(SWIFT) build -c release $(FLAGS) >&2
	@$$($(SWIFT) build -c release --show-bin-path)/headerd-end-to-end $(BENCH) --write $(RESULTS)

manual: build ## Write the man page of the behaviors anew
	@HEADERD_PLUGIN_PATH=$(BIN) $(BIN)/headerctl plugin list --offline --json | config/manual/behaviors.py >.build/headerd-behaviors.7
	@mv .build/headerd-behaviors.7 config/man/headerd-behaviors.7

docs: packages ## Build the documentation of HeaderPluginKit, into .build/docs
	@mkdir -p .build/docs/symbols
	@$(SWIFT) build -c $(CONFIGURATION) $(FLAGS) --target HeaderPluginKit --scratch-path .build/docs/build \
	  -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc $(CURDIR)/.build/docs/symbols >&2
	@docc convert Sources/HeaderPluginKit/HeaderPluginKit.docc --warnings-as-errors --fallback-display-name HeaderPluginKit \
	  --fallback-bundle-identifier org.headerd.HeaderPluginKit --additional-symbol-graph-dir .build/docs/symbols \
	  --output-path .build/docs/HeaderPluginKit.doccarchive
	@echo "built .build/docs/HeaderPluginKit.doccarchive"

lint: ## Check the format of all Swift files, the man pages, and the spelling of documents; takes seconds
	@$(call install,mandoc aspell aspell-en)
	@mandoc -Tlint -W warning config/man/*
	@config/manual/spell
	@$(SWIFT) format lint --strict --parallel -r Sources Plugins Tests Package.swift

test-asan: test-packages ## Run the tests under AddressSanitizer
	@$(SWIFT) build --build-tests $(FLAGS) --sanitize=address --scratch-path .build-asan -Xlinker --export-dynamic
	@LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Support/leaks.txt $(SWIFT) test --skip-build --disable-xctest --sanitize=address --scratch-path .build-asan -Xlinker --export-dynamic

test-tsan: test-packages ## Run the tests under ThreadSanitizer
	@$(SWIFT) build --build-tests $(FLAGS) --sanitize=thread --scratch-path .build-tsan -Xlinker --export-dynamic
	@$(SWIFT) test --skip-build --disable-xctest --sanitize=thread --scratch-path .build-tsan -Xlinker --export-dynamic
	@HEADERD_TEST_THREADS=4 $(SWIFT) test --skip-build --disable-xctest --sanitize=thread --scratch-path .build-tsan -Xlinker --export-dynamic --filter '^IntegrationTests'

install: build ## Install under PREFIX (default /usr/local); DESTDIR is honored
	@install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/headerd/plugins $(DESTDIR)$(PREFIX)/include \
	  $(DESTDIR)$(PREFIX)/share/man/man{1,5,7,8} $(DESTDIR)$(PREFIX)/share/headerd/demo
	@install -m 755 $(BIN)/headerd $(BIN)/headerctl $(DESTDIR)$(PREFIX)/bin
	@for plugin in $(PLUGINS:%=$(BIN)/lib%.so); do \
	  install -m 755 $$plugin $(DESTDIR)$(PREFIX)/lib/headerd/plugins/.new && \
	  mv $(DESTDIR)$(PREFIX)/lib/headerd/plugins/.new $(DESTDIR)$(PREFIX)/lib/headerd/plugins/$$(basename $$plugin); done
	@install -m 644 Sources/CHeaderPlugin/header_plugin.h Sources/CHeaderWire/header_wire.h $(DESTDIR)$(PREFIX)/include
	@install -m 644 config/headerd.toml $(DESTDIR)$(PREFIX)/share/headerd
	@install -m 644 config/demo/scroll.jsonl $(DESTDIR)$(PREFIX)/share/headerd/demo
	@install -d $(DESTDIR)$(PREFIX)/share/headerd/examples
	@install -m 644 config/examples/*.toml $(DESTDIR)$(PREFIX)/share/headerd/examples
	@for page in config/man/*; do install -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}; done
	@echo "installed under $(DESTDIR)$(PREFIX)"

clean: ## Remove everything that was built
	@rm -rf .build .build-asan .build-tsan
