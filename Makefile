# The everyday commands; CMakeLists.txt does the work. `make help` lists them.
#
#   make SETUP=        build with what is there, install nothing
#   make BUILD=dir CMAKE_ARGS='-DCMAKE_BUILD_TYPE=Debug -DTELAR_SANITIZE=address,undefined'
#   make install PREFIX=/usr DESTDIR=staging

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SETUP ?= sh tools/setup.sh
CMAKE_ARGS ?=

# The inner build has its own jobs and its own say about directories.
inner = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL
setup = $(if $(SETUP),@$(SETUP) $(1))
ctest = ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

compile = @$(inner) cmake --build $(BUILD) --parallel $(JOBS)

.PHONY: all run test test-long install format lint clean help setup-run setup-test setup-long configure build

all: setup-run configure ## build $(BUILD)/telar, libtelar.so and libtelar.a
	$(compile) --target product

setup-run:
	$(call setup,run)
setup-test:
	$(call setup,test)
setup-long:
	$(call setup,long)

# Configuring again costs half a second and finds packages that set-up has added since.
configure:
	@sh tools/configure.sh $(BUILD) $(CMAKE_ARGS)

build: configure ## everything that is there, tests, examples and benchmarks too; installs nothing
	$(compile)

run: setup-run configure ## weave, plan and run examples/scale.wgsl on real data
	$(compile) --target product --target examples
	@if [ -f examples/run.sh ]; then BUILD=$(BUILD) sh examples/run.sh; else echo "no examples/run.sh yet"; fi

test: setup-test build ## unit, GPU, command-line and build proofs; what continuous integration runs
	@$(inner) $(ctest)

test-long: setup-long ## test, and clang, sanitizers, clang-tidy, format, fuzzers, long corpora
	@$(inner) JOBS=$(JOBS) sh tools/test-long.sh

install: setup-run ## into $(DESTDIR)$(PREFIX)
	@sh tools/configure.sh $(BUILD) -DCMAKE_INSTALL_PREFIX="$(PREFIX)" $(CMAKE_ARGS)
	$(compile) --target product
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD)

format: setup-long ## clang-format every C file
	@sh tools/format.sh

lint: setup-long configure ## clang-tidy every C file
	@sh tools/lint.sh $(BUILD)

clean: ## remove the build folders; fetched packages stay in .deps
	rm -rf build build-*

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12
