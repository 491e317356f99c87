# notify-bridge: the ways to build, check and run it. `make help` lists them.
# Everything that is made stays below .build.

SHELL = /bin/bash
.NOTPARALLEL:
.DEFAULT_GOAL = help
.PHONY: help deps deps-build deps-demo build build-tests command daemon translations lint api test fuzz soak soak-daemons demo build-demo samples bench docs install deb test-package clean

PREFIX ?= /usr/local
DESTDIR ?=
# Set to nothing to keep the symbols of what is installed.
STRIP ?= -s
# Further options for every `swift build`, for example `-j 2`.
SWIFT_BUILD_FLAGS ?=

BUILD = .build
COMMAND = $(BUILD)/bin/notify-bridge
TOOLS = Tests/Tools
# Where the release programs are.
PROGRAMS = $(BUILD)/static/release

# What it is built with; GLib and gdk-pixbuf are for the library alone, SQLite for the bridge.
PACKAGES_BUILD = gettext pkg-config libdbus-1-dev libglib2.0-dev libgdk-pixbuf-2.0-dev libsqlite3-dev
# What shows a notification where there is no desktop.
PACKAGES_DEMO = $(PACKAGES_BUILD) dbus
# What checks it; the desktops' own daemons are in Tests/Daemons/install.
PACKAGES_TEST = $(PACKAGES_DEMO) appstream binutils curl desktop-file-utils fish libnotify-bin libxml2-utils mandoc \
  python3 rpm shellcheck systemd tmux valgrind zsh
# What packages it.
PACKAGES_DEB = debhelper dpkg-dev gettext python3

# The release command. Static: the Swift runtime, and libstdc++ by a folder with nothing else for the linker to find (it
# ignores -static-libstdc++). lld, packed relocations (glibc 2.36 and later), no lookups left for later, and no symbols of
# its own to look through for each; types are found by code instead of by name, which would search all conformances of
# the runtime: it starts in half of the instructions that notify-send takes.
GLIBC = $(lastword $(shell getconf GNU_LIBC_VERSION))
RELR = $(if $(filter 2.36,$(firstword $(shell printf '%s\n' 2.36 $(GLIBC) | sort -V))),-Xlinker -z -Xlinker pack-relative-relocs)
STATIC_FLAGS = -c release --static-swift-stdlib --scratch-path $(BUILD)/static --disable-local-rpath \
  -Xlinker -L$(CURDIR)/$(BUILD)/link-static -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -use-ld=lld \
  -Xlinker --no-export-dynamic -Xlinker --strip-debug -Xlinker -z -Xlinker now -Xlinker -z -Xlinker relro $(RELR) \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors

help:
	@echo 'make deps     installs what building and testing needs (Debian; root, or sudo)'
	@echo 'make build    the tests (debug), command and bridge (release, in $(BUILD)/bin)'
	@echo 'make lint     style, imports, scripts, translations, packaging, and what the command links'
	@echo 'make api      whether the library has all of Apple'\''s API, and a test for each symbol'
	@echo 'make test     deps, build, lint, api and docs, then every test'
	@echo 'make fuzz     a million changed payloads, property lists and documents, none of which may trap; some minutes'
	@echo 'make soak     kills the bridge 300 times under load, and its daemon and its bus, and counts what was lost'
	@echo 'make soak-daemons  bursts of 10,000 and 500 notifications on the real daemons, after make build; two minutes'
	@echo 'make demo     shows a notification with buttons, here and now'
	@echo 'make samples  the sample extensions as bundles, in $(BUILD)/samples'
	@echo 'make bench    measures command, library and bridge against libnotify, libdbus and dunst; four minutes'
	@echo 'make docs     the documentation of both products, in $(BUILD)/docs'
	@echo 'make install  command, bridge and all that belongs to them below PREFIX ($(PREFIX))'
	@echo 'make deb      Debian packages in $(BUILD)/deb, of the programs that are built, else it builds them'
	@echo 'make test-package  installs, uses and removes these packages in a bare system (root, or sudo)'
	@echo 'make clean    removes what was built'

deps:
	@$(TOOLS)/install-packages $(PACKAGES_TEST)
	@Tests/Daemons/install --plasma

deps-build:
	@$(TOOLS)/install-packages $(PACKAGES_BUILD)

deps-demo:
	@$(TOOLS)/install-packages $(PACKAGES_DEMO)

build: build-tests command daemon

build-tests: translations
	swift build --build-tests $(SWIFT_BUILD_FLAGS)

command: translations $(BUILD)/link-static/libstdc++.a
	swift build --product notify-bridge $(STATIC_FLAGS) $(SWIFT_BUILD_FLAGS)
	@mkdir -p $(BUILD)/bin
	@ln -sfn ../static/release/notify-bridge $(COMMAND)
	@ln -sfn notify-bridge $(BUILD)/bin/notify-send

# Where the built programs look for our own words in other languages: share/locale beside their bin.
translations: $(patsubst packaging/po/%.po,$(BUILD)/share/locale/%/LC_MESSAGES/notify-bridge.mo,$(wildcard packaging/po/*.po))

$(BUILD)/share/locale/%/LC_MESSAGES/notify-bridge.mo: packaging/po/%.po
	@mkdir -p $(@D)
	msgfmt --check -o $@ $<

# The resident bridge, and what lets dbus/test-bus.conf start it.
daemon: translations $(BUILD)/link-static/libstdc++.a
	swift build --product notify-bridged $(STATIC_FLAGS) $(SWIFT_BUILD_FLAGS)
	@mkdir -p $(BUILD)/bin $(BUILD)/share/dbus-1/services
	@ln -sfn ../static/release/notify-bridged $(BUILD)/bin/notify-bridged
	@sed 's,@libexecdir@,$(CURDIR)/$(BUILD)/bin,' dbus/org.notifybridge.Bridge1.service \
	  >$(BUILD)/share/dbus-1/services/org.notifybridge.Bridge1.service

$(BUILD)/link-static/libstdc++.a:
	@archive=$$($(CC) -print-file-name=libstdc++.a) && [ -e "$$archive" ] || \
	  { echo 'make: libstdc++.a is missing: install g++' >&2; exit 1; }; \
	mkdir -p $(@D) && ln -sfn "$$archive" $@

lint: command
	swift format lint --strict --parallel --recursive Package.swift Sources Tests $(wildcard Benchmarks)
	$(TOOLS)/check-imports --self-test
	$(TOOLS)/check-imports
	$(TOOLS)/check-scripts
	$(TOOLS)/words --self-test
	$(TOOLS)/words --check
	$(TOOLS)/check-packaging
	$(TOOLS)/check-links $(COMMAND)
	$(COMMAND) completions bash | shellcheck -s bash -

# Of the modules that are built: every symbol of Apple's API is there and has a test that exists.
api: build-tests
	$(TOOLS)/api-coverage --self-test
	$(TOOLS)/api-coverage

# For `notify-bridge extension check` and `install`; see Tests/Samples/README.md.
samples: translations
	for product in picture-service rotating-image invitation donation; do \
	  swift build --product sample-$$product $(SWIFT_BUILD_FLAGS) || exit; done
	$(TOOLS)/make-samples $(BUILD)/samples

# The tests of the center first against the bridge's side of the bus, then all of them, with the engine in the process.
test: deps build lint api docs
	NOTIFY_BRIDGE_TEST_HOST=bridge $(TOOLS)/run-tests --filter UserNotificationsTests --skip StoreTests
	$(TOOLS)/run-tests

# What comes from outside, changed at random; each run has a seed of its own, which it prints. The short run is part of
# `make test`.
FUZZ_INPUTS ?= 1000000
fuzz: build-tests
	NOTIFY_BRIDGE_FUZZ=$(FUZZ_INPUTS) $(TOOLS)/run-tests --filter NotificationBridgeTests.FuzzTests

# The tests of crashes at length; each prints what was done and what it cost. The short run is part of `make test`.
soak: build-tests command daemon
	NOTIFY_BRIDGE_CRASH_ROUNDS=300 NOTIFY_BRIDGE_IDLE_SECONDS=60 \
	  $(TOOLS)/run-tests --filter 'BridgeEndToEndTests.(CrashTests|OutageTests|NoDaemonTests/alone)'

# The bursts of the tests on real daemons, at their full length.
soak-daemons: deps
	NOTIFY_BRIDGE_SOAK=1 $(TOOLS)/run-tests --filter RealDaemonTests.BurstTests

# Reference and pages of both products, by the toolchain alone; a warning is an error. What is built is not built again.
docs: deps-build
	swift build --target UserNotificationsUI $(SWIFT_BUILD_FLAGS)
	$(TOOLS)/make-docs $(BUILD)/docs

demo: deps-demo build-demo
	@$(TOOLS)/demo $(BUILD)/debug/notify-bridge $(BUILD)/debug/sample-demo

build-demo:
	swift build --product sample-demo $(SWIFT_BUILD_FLAGS)
	swift build --product notify-bridge $(SWIFT_BUILD_FLAGS)

# Ratios to notify-send, a C libdbus loop, a GDBus loop and dunst; nothing fails, the gate on instructions is a test.
bench: deps command daemon
	swift build -c release --package-path Benchmarks $(SWIFT_BUILD_FLAGS)
	Benchmarks/run $(COMMAND)
	Benchmarks/bridge $(COMMAND) $(BUILD)/bin/notify-bridged

install: command daemon
	DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' STRIP='$(STRIP)' packaging/install $(PROGRAMS)

# Of what is built, whether or not it is of these very sources: nobody waits twice for the same programs.
deb:
	@$(TOOLS)/install-packages $(PACKAGES_DEB)
	@[ -x $(PROGRAMS)/notify-bridge ] && [ -x $(PROGRAMS)/notify-bridged ] || $(MAKE) command daemon
	packaging/build-deb $(PROGRAMS) $(BUILD)/deb

test-package: deb
	@$(TOOLS)/install-packages debootstrap lintian
	$(TOOLS)/test-package $(BUILD)/deb

clean:
	rm -rf $(BUILD)
