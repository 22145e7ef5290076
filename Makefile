# SPDX-License-Identifier: Apache-2.0
#
#   make play [ITEM=book.m4b]   from a fresh machine to sound; without ITEM a demonstration
#   make test [ONLY=PATTERN]    from a fresh machine to a green test run; with ONLY the tests whose names match
#   make help                   the other targets

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
BUILD := swift build --jobs $(JOBS)
# One test at a time: several listen to a sound server in real time, and would miss their turn on a busy machine.
# Sessions that tests start must not appear on the desktop of whoever runs the tests.
UNSEEN := env -u DBUS_SESSION_BUS_ADDRESS
RUN := $(UNSEEN) swift test --skip-build --disable-xctest --no-parallel
# The servers that are listened to. (A machine may lack PipeWire's where `make deps` cannot install it.)
SOUND_SERVERS = pulseaudio $(if $(shell command -v pipewire-pulse && command -v wireplumber),pipewire,$(info make: no PipeWire here, so only PulseAudio is listened to: install pipewire-pulse and wireplumber))
SOURCES := $(shell find Package.swift Sources Plugins -type f)

# Sanitizers repeat the tests in which threads meet, or in which memory is handled by hand.
TSAN_TESTS := EngineTransportTests|EngineBridgeTests|EngineLoaderTests|AudioSessionTests
ASAN_TESTS := EngineTransportTests|EngineBridgeTests|EngineLoaderTests|FFmpegEngineTests|EspeakEngineTests|SoftwareOutputsTests

# Of each fuzz target.
SECONDS_EACH ?= 60

.PHONY: help play build test desktop explore listen mpris service terminal deb debtest examples durability fuzz install uninstall lint format tsan asan sanitized bench docs docc clean deps \
	toolchain

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: deps-build $(if $(ITEM),,deps-demo) .build/release.stamp ## ITEM=…: play it; without: show what Rostrum does
ifdef ITEM
	@exec .build/release/rostrum play "$$ITEM"
else
	@exec scripts/demo.sh .build/release
endif
play: export ITEM := $(ITEM)

build: deps-build .build/release.stamp ## programs and engines under .build/release

# What is built once is not looked at again: that takes seconds for each of these.
test: deps-build deps-install deps-test ## every test; ONLY=PATTERN: those whose names match, without examples and listen
	@$(BUILD) --build-tests
	@scripts/layout-engines.sh .build/debug
ifdef ONLY
	@$(RUN) --filter "$$ONLY"
else
	@$(RUN)
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target listen desktop BUILD=:
	@$(MAKE) --no-print-directory examples
endif
test: export ONLY := $(ONLY)

# Beside what is listened to, for both mostly wait: together they take a third of two cores.
desktop:
	@$(MAKE) --no-print-directory mpris CASES='seeking|tracklist|opening|controllers|end of the bus'
	@$(MAKE) --no-print-directory service
	@$(MAKE) --no-print-directory terminal

explore: deps-build ## every way that the playback machine can go, and 10,000 sequences of owners and clips (some minutes)
	@swift build -c release --build-tests --scratch-path .build-explore -Xswiftc -enable-testing --jobs $(JOBS)
	@ROSTRUM_EXPLORE_DEPTH=$${ROSTRUM_EXPLORE_DEPTH:-8} ROSTRUM_EXPLORE_SESSIONS=$${ROSTRUM_EXPLORE_SESSIONS:-1000000} \
		swift test -c release --skip-build --scratch-path .build-explore --disable-xctest --filter PlaybackCoreTests
	@ROSTRUM_CLIP_SEQUENCES=$${ROSTRUM_CLIP_SEQUENCES:-10000} \
		swift test -c release --skip-build --scratch-path .build-explore --disable-xctest --filter SessionServiceTests

listen: deps-build deps-test ## plays into a private sound server and checks what is heard there
	@$(BUILD)
	@scripts/layout-engines.sh .build/debug
	@for server in $(SOUND_SERVERS); do \
		$(UNSEEN) /usr/bin/python3 Tests/Listening/listen.py .build/debug --server $$server; \
		$(UNSEEN) /usr/bin/python3 Tests/Listening/gapless.py .build/debug --server $$server; \
	done
	@$(UNSEEN) /usr/bin/python3 Tests/Listening/reading.py .build/debug
	@$(UNSEEN) /usr/bin/python3 Tests/Listening/works.py .build/debug

mpris: deps-build deps-test ## CASES=PATTERN: tests the session on a private bus against the MPRIS specification (6 minutes)
	@$(BUILD)
	@scripts/layout-engines.sh .build/debug
	@ROSTRUM=$(CURDIR)/.build/debug/rostrum /usr/bin/python3 Tests/MPRIS/mpris_conformance.py --player rostrum --private \
		--same-user --restart-bus --only '$(CASES)'

deb: deps-build deps-install deps-packages .build/release.stamp ## Debian packages, in .build/packages
	@$(BUILD) --configuration release --product generate-manual
	@scripts/deb.sh .build/release .build/packages

debtest: deb ## as root: installs the packages in an empty Debian 12, plays there, and removes them
	@Tests/Packaging/packages.sh .build/packages

service: deps-build deps-test ## runs the session as a service manager and a desktop do: restart, kill, logind, headset, sandboxes
	@$(BUILD)
	@scripts/layout-engines.sh .build/debug
	@$(UNSEEN) /usr/bin/python3 Tests/Desktop/service.py .build/debug
	@for server in $(SOUND_SERVERS); do \
		$(UNSEEN) /usr/bin/python3 Tests/Desktop/sound.py .build/debug --server $$server; \
	done
	@$(UNSEEN) /usr/bin/python3 Tests/Desktop/interrupted.py .build/debug
	@$(UNSEEN) /usr/bin/python3 Tests/Desktop/sandboxed.py .build/debug
	@$(UNSEEN) /usr/bin/python3 Tests/Desktop/headset.py .build/debug
	@$(UNSEEN) /usr/bin/python3 Tests/Desktop/playerctl.py .build/debug
	@$(UNSEEN) /usr/bin/python3 Tests/Desktop/keyring.py .build/debug

terminal: deps-build deps-test ## drives the full-screen player in terminals
	@$(BUILD)
	@scripts/layout-engines.sh .build/debug
	@$(UNSEEN) /usr/bin/python3 Tests/Terminal/terminal.py .build/debug

examples: deps-build deps-install deps-test ## builds what is in Examples against an install, outside of here, and plays it
	@$(BUILD)
	@$(BUILD) --product generate-manual
	@scripts/layout-engines.sh .build/debug
	@$(UNSEEN) /usr/bin/python3 Tests/Examples/examples.py .build/debug

durability: deps-build deps-test ## starts, harm, random commands and kills, each in its short form (some minutes)
	@$(BUILD)
	@scripts/layout-engines.sh .build/debug
	@$(UNSEEN) scripts/durability.sh .build/debug

fuzz: deps-build ## SECONDS_EACH=60 TARGET=…: gives the parsers of foreign input whatever libFuzzer thinks of
	@scripts/fuzz.sh $(SECONDS_EACH) $(JOBS) $(TARGET)

install: build deps-install ## PREFIX=…: programs, engines, headers, manual pages, completions (works moved, too)
	@$(BUILD) --configuration release --product generate-manual
	@scripts/install.sh .build/release $(PREFIX)

uninstall: ## PREFIX=…: removes what install put there
	@scripts/install.sh --uninstall $(PREFIX)

lint: deps-build deps-lint ## format, imports between targets, headers, scripts, dependency table
	@scripts/lint.sh $(JOBS)

format: toolchain ## writes the house format
	@find Package.swift Sources Plugins Tests Benchmarks Examples Fuzz -name '*.swift' -not -path '*/.build*' -print0 | \
		xargs -0 swift format --in-place --parallel

tsan: deps-build deps-test ## tests under the thread sanitizer
	@scripts/sanitize.sh thread '$(TSAN_TESTS)' $(JOBS)

asan: deps-build deps-test ## tests under the address sanitizer
	@scripts/sanitize.sh address '$(ASAN_TESTS)' $(JOBS)

sanitized: deps-build deps-test ## builds what tsan and asan run, on processor time that nothing else wants
	@scripts/sanitize.sh --build thread '$(TSAN_TESTS)' $(JOBS)
	@scripts/sanitize.sh --build address '$(ASAN_TESTS)' $(JOBS)

bench: build deps-test ## measures what isolation costs, and the programs with ../shared/probe
	@Benchmarks/isolation/isolation.sh; kept=$$?; scripts/bench.sh .build/release && exit $$kept

docs: ## checks the links and paths that the documents name
	@python3 scripts/check-docs.py

docc: deps-build ## references of MediaPlayback and EngineSDK, in .build/docc
	@$(BUILD)
	@python3 scripts/docc.py .build/debug .build/docc

deps: deps-build deps-demo deps-test deps-lint deps-install ## every package that any target needs

deps-%: toolchain
	@scripts/deps.sh $*

toolchain:
	@command -v swift >/dev/null || { echo "make: no Swift toolchain: install Swift 6.3 from https://swift.org/install/linux" >&2; exit 69; }

# Newer than every source: `make play` starts at once when nothing changed.
.build/release.stamp: $(SOURCES) scripts/layout-engines.sh
	@$(BUILD) --configuration release
	@scripts/layout-engines.sh .build/release
	@touch $@

clean: ## removes every build product
	@rm -rf .build .build-* .cache
