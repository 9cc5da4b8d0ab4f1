# headerd: everything is done from here. `make help` lists the targets.
#
# Debian packages are installed by `make deps` alone (as root, or through sudo), which says which ones; `make run`, `make check`, `make test` and the
# targets of packages begin with it. The others tell what is missing.

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
TARGET ?= all
COUNT ?= 300
SEED ?=
FLAGS := --explicit-target-dependency-import-check error
# Release builds carry no debug information: a tenth less for the compiler to do, and a third of the bytes to write and link.
RELEASE := -c release -debug-info-format none $(FLAGS)
BUILD := $(if $(filter release,$(CONFIGURATION)),$(RELEASE),-c $(CONFIGURATION) $(FLAGS))
BIN = $(shell $(SWIFT) build -c $(CONFIGURATION) --show-bin-path)
WEB_PYTHON := .build/web-venv/bin/python
TOOLKITS_PYTHON := .build/toolkits-venv/bin/python

# What is needed FOR what, and of tools that may come from elsewhere COMMAND:PACKAGE.
FOR ?= test
NEEDS_build := libuv1-dev libtomlplusplus-dev libxxhash-dev libseccomp-dev libwebsockets-dev libwebsockets-evlib-uv libnats-dev
NEEDS_lint := mandoc aspell aspell-en
NEEDS_docs := mandoc python3-markdown
NEEDS_bench := $(NEEDS_build) valgrind
# The clients' types are checked, too. Of Node and Rust any will do.
NEEDS_clients := $(NEEDS_build) python3 python3-gi python3-setuptools python3-wheel mypy node-typescript node:nodejs rustc:rustc
# A browser for the pages, and a Python environment for what drives it; Playwright's own Node needs libatomic1.
NEEDS_web := $(NEEDS_build) $(NEEDS_docs) python3 python3-venv chromium chromium-driver libatomic1 openssl iproute2 node-react node-react-dom node-typescript
# Without these all is built and tested but the adapters for toolkits: 30 MB of packages for GTK, Qt, a display and a hand on its mouse, at
# most 100 MB with GTK's headers for C, and 80 MB of PySide6 from PyPI, which needs the last two.
NEEDS_toolkits := $(NEEDS_build) python3-venv python3-gi python3-setuptools python3-wheel gir1.2-gtk-4.0 libgtk-4-dev gobject-introspection gir1.2-adw-1 gir1.2-atspi-2.0 at-spi2-core python3-pyqt6.qtquick qml6-module-qtquick-window qml6-module-qtqml-workerscript xserver-xorg-core xserver-xorg-video-dummy xdotool libxcb-cursor0 libgl1
NEEDS_nats := $(NEEDS_build) nats-server python3 openssl gcc
# With these Tests/run.py begins to build; the others are installed meanwhile. The build needs the same pkg-config, or none, each time.
NEEDS_test-build := $(NEEDS_build) python3 pkg-config g++:g++
NEEDS_check := $(NEEDS_test-build) $(NEEDS_lint) python3-jsonschema python3-fastjsonschema
NEEDS_test := go:golang-go zsh fish $(NEEDS_check) $(NEEDS_docs) $(NEEDS_bench) $(NEEDS_clients) $(NEEDS_web) $(NEEDS_nats) $(NEEDS_toolkits) systemd-analyze:systemd librsvg2-bin
NEEDS_deb := $(NEEDS_build) dpkg-dev patchelf lintian
NEEDS_test-deb := $(NEEDS_deb) debootstrap
NEEDS_test-vm := $(NEEDS_test-deb) qemu-system-x86 e2fsprogs

.PHONY: help deps build run playground quick check test test-long test-clients bench-clients test-toolkits test-web bench-web test-nats test-attacks bench-nats nats-kills test-install test-readme fuzz fuzz-service fuzz-coverage mutation properties screen ahead simulate fault-sweep kill-cycles worker-faults power-cuts examples conformance manual docs docs-swift bench bench-micro bench-end-to-end lint test-asan test-tsan install uninstall deb test-deb test-vm clean

help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# $(call missing,NEEDS): packages that are not there.
missing = $(shell for need in $(sort $(1)); do case $$need in \
  (*:*) command -v "$${need%%:*}" >/dev/null || echo "$$need" | cut -d: -f2 ;; \
  (*) dpkg-query -W -f='$${Status}' "$$need" 2>/dev/null | grep -q 'install ok installed' || echo "$$need" ;; \
  esac; done)
# $(call need,WHAT): ends with an error that names what is missing.
need = @missing="$(call missing,$(NEEDS_$(1)))"; [ -z "$$missing" ] || { \
  echo "missing Debian packages: $$missing; 'make deps FOR=$(1)' installs them" >&2; exit 1; }

deps: ## Install what building and testing need from outside: Debian packages, the browser's driver (FOR=build: only building)
	@missing="$(call missing,$(NEEDS_$(FOR)))"; if [ -n "$$missing" ]; then \
	  echo "this installs Debian packages: $$missing"; \
	  root=""; [ "$$(id -u)" = 0 ] || root=sudo; \
	  { $$root apt-get update -qq && \
	    $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; } || { \
	    echo "cannot install these Debian packages: $$missing; set a mirror that can be reached in /etc/apt" >&2; exit 1; }; \
	fi
	@case $(FOR) in test|web) $(MAKE) --no-print-directory $(WEB_PYTHON) ;; esac
	@case $(FOR) in test|toolkits) $(MAKE) --no-print-directory $(TOOLKITS_PYTHON) ;; esac

build: ## Build the daemon, headerctl and the plugins (CONFIGURATION=debug for a debug build)
	$(call need,build)
	@$(SWIFT) build $(BUILD)

# What the demo needs and nothing else, one product per call of SwiftPM. Not optimized, which takes the compiler a fifth of the time, but
# each module in one piece as for a release, which takes a seventh less of the processors' time than a debug build; in a folder of its own,
# so that other builds keep theirs.
DEMO := .build/demo
run: ## Install what is missing, build, start the daemon, stream a recorded scroll and show the header moving; ends by itself
	@$(MAKE) --no-print-directory deps FOR=build
	@for product in headerd headerctl ShyNavBar; do \
	  $(SWIFT) build $(RELEASE) --scratch-path $(DEMO) -Xswiftc -Onone -Xswiftc -no-emit-module-separately-wmo --product $$product; done
	@config/demo/run $(DEMO)/release

playground: ## Install what is missing, build, and serve the playground; prints its address, Ctrl-C ends it (PORT=8470)
	@$(MAKE) --no-print-directory deps FOR=build
	@$(MAKE) --no-print-directory build
	@$(SITE)
	@config/demo/playground $(BIN) $(ONCE)

# Three tiers (CONTRIBUTING.md). Each installs what is missing, builds, and ends with one line a part: passed, failed, seconds.
check test test-long:
	@begun=$$(date +%s); $(MAKE) --no-print-directory deps FOR=test-build; \
	  Tests/run.py $(subst test-,,$@) --install --begun $$begun $(foreach word,$(ONLY),--only $(word)) $(if $(TIMES),--times $(TIMES)) $(if $(LOAD),--load $(LOAD))
check: ## Check formats, and run all suites that start no program, recordings and the schema (ONLY=WORDS: parts with one of them in the name)
test: ## The same, and what a user would see: programs, sockets, clients, browser, NATS, installation (ONLY=WORDS; TIMES=20 LOAD=2: again and again beside a load)
test-long: ## The long forms: a debug build with all checks, growth, many lives, kills and faults (ONLY=WORDS)

quick: ## After a change: build, and run the suites that see it (ROOM=Fanout, FILE=path, or what git says has changed)
	$(call need,build)
	@Tests/quick.py $(if $(ROOM),--room '$(ROOM)') $(if $(FILE),--file '$(FILE)')

test-readme: ## Run the commands of README.md, the tutorials and the how-tos as printed, in a home of their own
	@Tests/Readme/run.py
	@Tests/Readme/run.py --guides $(BIN)

test-install: ## Install what is built into a folder, use it there, remove it, check that nothing is left; check the systemd units
	@Tests/Install/run .build/$(CONFIGURATION)
	@Tests/Install/units .build/$(CONFIGURATION)

test-clients: ## Hold the same conversations with the clients of all languages, and run what their pages print
	$(call need,clients)
	@$(SWIFT) build $(BUILD) >&2
	@Tests/Clients/run.py $(BIN)

bench-clients: ## How long `scroll` takes with the clients for C and Python, sent, decided, back and applied; and `headerd_decide` with the one for C
	$(call need,clients)
	@$(SWIFT) build $(RELEASE) >&2
	@Tests/Clients/bench.py $$($(SWIFT) build -c release --show-bin-path)

test-toolkits: $(TOOLKITS_PYTHON) ## Use the adapters for toolkits as a person does, on a display in memory (FRAMES=2000 measures frames; pictures: PICTURES=FOLDER)
	$(call need,toolkits)
	@$(SWIFT) build $(BUILD) >&2
	@for toolkit in gtk.py "gtk.py --adapter C" qt.py "qt.py --binding PySide6"; do \
	  $(TOOLKITS_PYTHON) Tests/Toolkits/$$toolkit $(BIN) $(if $(FRAMES),--only frames --frames $(FRAMES) --within 0.004) \
	  $(if $(PICTURES),--pictures $(PICTURES)) || exit 1; done
	@$(if $(FRAMES),,$(TOOLKITS_PYTHON) Tests/Toolkits/terminal.py $(BIN) $(if $(PICTURES),--pictures $(PICTURES)))

# What drives the browser, PySide6 and Textual come from PyPI, into environments of their own; the toolkits' has Debian's GTK and PyQt6, too.
$(WEB_PYTHON): Tests/Web/requirements.txt
$(TOOLKITS_PYTHON): Tests/Toolkits/requirements.txt
$(WEB_PYTHON): VENV := python3 -m venv --clear --copies
$(TOOLKITS_PYTHON): VENV := /usr/bin/python3 -m venv --clear --copies --system-site-packages
$(WEB_PYTHON) $(TOOLKITS_PYTHON):
	@$(VENV) $(@:/bin/python=)
	@$@ -m pip install --quiet --disable-pip-version-check -r $< 2>$(@:/bin/python=)/pip.log || { \
	  grep -m1 . $(@:/bin/python=)/pip.log >&2 || true; \
	  echo "cannot get $$(paste -sd' ' $<) from PyPI; set PIP_INDEX_URL (a mirror) or PIP_CERT (its certificate)" >&2; exit 1; }
	@touch $@

test-web: $(WEB_PYTHON) ## Use the bridge, the browser client and the playground in a real browser (WEB=--short is short; pictures: PICTURES=FOLDER)
	$(call need,web)
	@$(SWIFT) build $(BUILD) >&2
	@$(WEB_PYTHON) Tests/Web/run.py $(BIN) $(WEB) $(if $(PICTURES),--pictures $(PICTURES))

bench-web: $(WEB_PYTHON) ## What the bridge takes of a processor for 1,000 pages, how long an input takes to a second window, and in which frames headers are late
	$(call need,web)
	@$(SWIFT) build $(RELEASE) >&2
	@$(WEB_PYTHON) Tests/Web/bench.py $$($(SWIFT) build -c release --show-bin-path)
	@$(WEB_PYTHON) Tests/Web/bench_windows.py $$($(SWIFT) build -c release --show-bin-path)
	@$(WEB_PYTHON) Tests/Web/bench_windows.py $$($(SWIFT) build -c release --show-bin-path) --frames

test-nats: ## Three daemons at a real nats-server: clients of the realm, owners killed and cut off, a server that stands still, TLS (NATS=--short is short)
	$(call need,nats)
	@$(SWIFT) build $(BUILD) >&2
	@Tests/Nats/run.py $(BIN) $(NATS)
	@Tests/Nats/secure.py $(BIN)
	@Tests/Nats/kills.py $(BIN) --kills $(if $(NATS),6,30)

# Each file is a suite, but for what they have in common.
ATTACKS = $(filter-out %/suite.py,$(wildcard Tests/Attacks/*.py))
test-attacks: ## Attack the programs: hostile plugins, damaged journals, forged messages, odd HTTP, a faulty network (ATTACK=--short is short; SEED=N)
	$(call need,nats)
	@$(SWIFT) build $(BUILD) >&2
	@for suite in $(ATTACKS); do $$suite $(BIN) $(ATTACK) $(if $(SEED),--seed $(SEED)); done

nats-kills: ## Kill, stop and cut off daemons and bridges of a realm KILLS=1000 times at random moments; tells what was lost, and for how long
	$(call need,nats)
	@$(SWIFT) build $(BUILD) >&2
	@Tests/Nats/kills.py $(BIN) --kills $(or $(KILLS),1000)

bench-nats: ## What a state costs in a realm, beside a bare publisher on libnats (HEADERS=1000 at 60 Hz)
	$(call need,nats)
	@$(SWIFT) build $(RELEASE) >&2
	@Tests/Nats/bench.py $$($(SWIFT) build -c release --show-bin-path) --headers $(or $(HEADERS),1000)

fuzz: ## Fuzz TARGET=all (or one of Tests/Fuzz/README.md) for TIME=60 seconds in all; tells the input that hurts
	$(call need,build)
	@case "$(TARGET)" in service) $(MAKE) --no-print-directory fuzz-service ;; \
	  all) Tests/Fuzz/run fuzz all $$(($(TIME) * 3 / 4)); $(MAKE) --no-print-directory fuzz-service TIME=$$(($(TIME) / 4)) ;; \
	  *) Tests/Fuzz/run fuzz "$(TARGET)" $(TIME) ;; esac

# Whole services with new seeds, in the build of the tests (SEED=N begins there).
fuzz-service:
	@$(SWIFT) build --build-tests $(FLAGS)
	@HEADERD_FUZZ_SECONDS=$(TIME) HEADERD_FUZZ_SEED=$(SEED) HEADERD_FUZZ_LAST=$(CURDIR)/.build/fuzz-last \
	  $(SWIFT) test --skip-build --disable-xctest --filter 'FuzzTests/untilTheTimeIsOver' || \
	  { echo "The last message:"; head -c 8000 .build/fuzz-last; exit 1; }

fuzz-coverage: ## How much of each decoder fuzzing reaches in TIME=60 seconds, beginning with what earlier fuzzing has found
	$(call need,build)
	@Tests/Fuzz/run coverage $(TIME)

mutation: ## Change the sources in COUNT=300 small ways (SEED=1 chooses them) and see whether the tests notice; can be stopped
	$(call need,build)
	@Tests/Mutation/run.py --count $(COUNT) --seed $(or $(SEED),1)

kill-cycles: build ## Kill a daemon with a journal CYCLES=1000 times at random moments, in both durabilities; tells what was lost
	@for durability in acknowledged interval; do \
	  Tests/Durability/kill-cycles.py $(BIN) --cycles $(or $(CYCLES),1000) --durability $$durability || exit 1; done
	@Tests/Durability/kill-cycles.py $(BIN) --cycles $$(( $(or $(CYCLES),1000) / 10 + 1 )) --headers 1000 --threads 2

worker-faults: build ## Have plugins in processes go wrong in 14 ways, FAULTS=100 times each, and kill the processes KILLS=1000 times
	@Tests/Durability/worker-faults.py $(BIN) --faults $(or $(FAULTS),100) --kills $(or $(KILLS),1000)

power-cuts: ## Cut the power of an emulated machine CUTS=100 times while a daemon keeps a journal on its disk (as root)
	@$(MAKE) --no-print-directory deps FOR=test-vm
	@$(MAKE) --no-print-directory deb
	@Tests/Durability/power-cuts $(BIN) .build/deb --cuts $(or $(CUTS),100)

properties: ## Walk STEPS=100000 random steps over each behavior: moves, constraints, hand-overs, drags
	$(call need,build)
	@$(SWIFT) build --build-tests $(FLAGS) >&2
	@HEADERD_STEPS=$(or $(STEPS),100000) $(SWIFT) test --skip-build --disable-xctest $(FLAGS) --filter PositionProperties

screen: ## Do STEPS=100000 random steps of what applications do around headers, from SEED=0 on, and look at each (HEADER=flutter: of some; Tests/ScreenTests)
	$(call need,build)
	@$(SWIFT) build $(RELEASE) --build-tests >&2
	@HEADERD_STEPS=$(or $(STEPS),100000) HEADERD_SEED=$(or $(SEED),0) HEADERD_HEADER='$(HEADER)' \
	  $(SWIFT) test $(RELEASE) --skip-build --disable-xctest --filter '^ScreenTests\.Screen'

ahead: ## Do STEPS=1000000 random steps, from SEED=0 on, and compare what headers say of how they go on with what they decide (HEADER=flutter: of some)
	$(call need,build)
	@$(SWIFT) build $(RELEASE) --build-tests >&2
	@HEADERD_AHEAD_STEPS=$(or $(STEPS),1000000) HEADERD_SEED=$(or $(SEED),0) HEADERD_HEADER='$(HEADER)' \
	  $(SWIFT) test $(RELEASE) --skip-build --disable-xctest --filter '^ScreenTests\.Ahead'

simulate: ## Live random lives of whole daemons, SEEDS='1..<1000' or as many as TIME=600 seconds allow; what fails is shrunk to a test
	$(call need,build)
	@$(SWIFT) build $(RELEASE) >&2
	@$$($(SWIFT) build -c release --show-bin-path)/headerd-simulate $(if $(SEEDS),--seeds '$(SEEDS)') \
	  $(if $(filter command line environment,$(origin TIME)),--time $(TIME))

fault-sweep: ## Have each call of the C library fail once, at start, in service, in reloads, recordings, journals and workers (make test has some)
	$(call need,build)
	@$(SWIFT) build --build-tests $(FLAGS)
	@HEADERD_FAULT_SWEEP=1 $(SWIFT) test --skip-build --disable-xctest --filter '^IntegrationTests.FaultTests'

examples: ## Build the behaviors in C, C++ and Rust, into .build/examples
	@$(MAKE) --no-print-directory -C Plugins/Examples/C BUILD=$(CURDIR)/.build/examples
	@$(MAKE) --no-print-directory -C Plugins/Examples/Cpp BUILD=$(CURDIR)/.build/examples
	@$(MAKE) --no-print-directory -C Plugins/Examples/Rust BUILD=$(CURDIR)/.build/examples

conformance: ## Run every recording under TRACES=FOLDER against the plugins as built
	$(call need,build)
	@$(SWIFT) build $(BUILD) >&2
	@$(BIN)/conformance --plugins $(BIN) $(TRACES)

bench: bench-micro bench-end-to-end ## Measure everything: part by part, then from socket to socket (BENCH=--quick is short)

bench-micro: ## What an event costs, part by part; fails above Tests/Benchmarks/thresholds.json
	$(call need,bench)
	@$(SWIFT) build $(RELEASE) >&2
	@$$($(SWIFT) build -c release --show-bin-path)/headerd-bench --thresholds Tests/Benchmarks/thresholds.json

bench-end-to-end: ## What a state costs, beside a C relay and brokers; table, JSON and chart go to RESULTS
	$(call need,build)
	@$(SWIFT) build $(RELEASE) >&2
	@$$($(SWIFT) build -c release --show-bin-path)/headerd-end-to-end $(BENCH) --write $(RESULTS)

manual: build ## Write the man pages that are made, the schema of the protocol, types made from it, and the films of the gallery anew
	@$(BIN)/headerd --schema >.build/openrpc.json
	@mv .build/openrpc.json config/schema/openrpc.json
	@config/schema/bindings.py typescript >.build/messages.d.ts
	@mv .build/messages.d.ts Sources/Clients/JavaScript/messages.d.ts
	@config/schema/bindings.py python >.build/messages.py
	@mv .build/messages.py Sources/Clients/Python/headerd/messages.py
	@config/manual/examples.py $(BIN) >.build/examples.json
	@mv .build/examples.json config/manual/examples.json
	@HEADERD_PLUGIN_PATH=$(BIN) $(BIN)/headerctl plugin list --offline --json | config/manual/pages.py config/man
	@config/manual/gallery.py $(BIN) config/manual/gallery
	@$(BIN)/conformance --plugins $(BIN) --page >.build/NEIGHBORS.md
	@mv .build/NEIGHBORS.md Tests/Conformance/NEIGHBORS.md

docs: ## Make the manual as static HTML with a search, into .build/site
	$(call need,docs)
	@config/manual/site.py .build/site

docs-swift: ## Build the documentation of HeaderPluginKit for Swift, into .build/docs
	$(call need,build)
	@mkdir -p .build/docs/symbols
	@$(SWIFT) build $(BUILD) --target HeaderPluginKit --scratch-path .build/docs/build \
	  -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc $(CURDIR)/.build/docs/symbols >&2
	@docc convert Sources/HeaderPluginKit/HeaderPluginKit.docc --warnings-as-errors --fallback-display-name HeaderPluginKit \
	  --fallback-bundle-identifier org.headerd.HeaderPluginKit --additional-symbol-graph-dir .build/docs/symbols \
	  --output-path .build/docs/HeaderPluginKit.doccarchive
	@echo "built .build/docs/HeaderPluginKit.doccarchive"

lint: ## Check the format of Swift files and man pages, spelling, references, sizes, and names against the code; takes seconds
	$(call need,lint)
	@mandoc -Tlint -W warning config/man/*
	@config/manual/spell
	@config/manual/references
	@config/manual/sizes
	@config/manual/architecture
	@$(SWIFT) format lint --strict --parallel -r Sources Plugins Tests Package.swift

test-asan: ## Run the tests under AddressSanitizer
	$(call need,build)
	@$(SWIFT) build --build-tests $(FLAGS) --sanitize=address --scratch-path .build-asan -Xlinker --export-dynamic
	@LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Support/leaks.txt $(SWIFT) test --skip-build --disable-xctest --sanitize=address --scratch-path .build-asan -Xlinker --export-dynamic

test-tsan: ## Run the tests under ThreadSanitizer
	$(call need,build)
	@$(SWIFT) build --build-tests $(FLAGS) --sanitize=thread --scratch-path .build-tsan -Xlinker --export-dynamic
	@$(SWIFT) test --skip-build --disable-xctest --sanitize=thread --scratch-path .build-tsan -Xlinker --export-dynamic
	@HEADERD_TEST_THREADS=4 $(SWIFT) test --skip-build --disable-xctest --sanitize=thread --scratch-path .build-tsan -Xlinker --export-dynamic --filter '^IntegrationTests'

# They may run as another user, so they want nothing but the shell.
# The manual as HTML, where the tools that make it are there.
SITE = [ -n "$(call missing,$(NEEDS_docs))" ] || config/manual/site.py .build/site >/dev/null

install: ## Copy what is built to PREFIX (default /usr/local; DESTDIR is honored), and the manual as HTML; downloads nothing
	@$(SITE)
	@PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) config/install/run install .build/$(CONFIGURATION)

uninstall: ## Remove what install put there
	@PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) config/install/run uninstall .build/$(CONFIGURATION)

deb: ## Make .build/deb/headerd.deb (with the Swift runtime), headerd-web.deb, headerd-nats.deb and headerd-dev.deb; installs what that needs
	@$(SITE)
	@$(MAKE) --no-print-directory deps FOR=deb
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	@SWIFT=$(SWIFT) config/debian/build .build/release .build/deb
	@lintian --allow-root --fail-on error .build/deb/headerd.deb .build/deb/headerd-web.deb .build/deb/headerd-nats.deb .build/deb/headerd-dev.deb

test-deb: ## Install the packages in a bare Debian without Swift, use them there, remove them (as root)
	@$(MAKE) --no-print-directory deps FOR=test-deb
	@$(MAKE) --no-print-directory deb
	@Tests/Install/deb .build/deb

test-vm: ## The same with systemd in an emulator: sockets, roles, reload, restart, watchdog (as root)
	@$(MAKE) --no-print-directory deps FOR=test-vm
	@$(MAKE) --no-print-directory deb
	@Tests/Install/vm .build/deb

clean: ## Remove everything that was built
	@rm -rf .build .build-asan .build-fuzz .build-mutation .build-tsan
