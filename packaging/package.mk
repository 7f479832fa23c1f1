# Release artefacts: `make package` writes packages, checksums and bills of materials to dist/. Releases contain no paths of this machine
# (-trimpath, -tags release) and have the date of the commit, so that the same commit gives the same bytes. Only signatures have their own time.
#
#   SIGNING_KEY_FILE   armoured OpenPGP private key for deb, rpm and SHA256SUMS (NFPM_PASSPHRASE unlocks it)
#   WINDOWS_CERTIFICATE, WINDOWS_KEY   PEM files for Authenticode (see packaging/windows/sign.sh)
#   MAINTAINER, HOMEPAGE  "Name <address>" and web address in the packages (defaults: packaging/maintainer.sh)
#
# Without keys the artefacts are unsigned, and the log reports it.

DIST := dist
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
export VERSION
export MAINTAINER := $(shell packaging/maintainer.sh)
export HOMEPAGE

# Only the targets that use a packaging tool build it, because an exported $(shell) runs for every line of every recipe.
package-linux package-bridges test-package: export NFPM = $(shell $(GO) -C packaging/tools/pack tool -n nfpm)
package-windows: export WINRES = $(shell $(GO) -C packaging/tools/pack tool -n go-winres)

RELEASE_LDFLAGS := -s -w -buildid= $(LDFLAGS)
RELEASE := -trimpath -tags release,migrated_fynedo
# Programs with C code are hardened like those of Linux distributions: position-independent, with symbols resolved at the start and read-only.
HARDENED := CGO_CFLAGS='-O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2' CGO_CXXFLAGS='-O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2'
HARDENED_LDFLAGS := -extldflags=-Wl,-z,relro,-z,now
WINDOWS_CC := CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++

.PHONY: package
package: setup-package without-older package-linux package-windows package-bridges package-mcpb sums ## build all packages that this machine can build, in dist/

# Without SIGNING_KEY_FILE, keys for tests are generated once in KEYS. OLDER is the commit or .deb to upgrade from.
OLDER ?= 0db3cf3
.PHONY: release
release: setup-package ## build, sign, verify, install and upgrade all packages that this machine can build (root)
	@RELEASE_LDFLAGS='$(RELEASE_LDFLAGS)' packaging/release.sh $(DIST) $(OLDER)

# The checksums cover all files in dist/, so files of earlier versions are removed.
.PHONY: without-older
without-older:
	@rm -f $(DIST)/search-mcp* $(DIST)/SHA256SUMS*

.PHONY: setup-package
setup-package: setup
	@packaging/setup.sh package

# Programs with C code are not cross-compiled for Linux.
LINUX_ARCH := $(shell $(GO) env GOHOSTARCH)
LINUX := $(DIST)/build/linux-$(LINUX_ARCH)

# Each platform with its own native libraries has a bill of materials.
.PHONY: sbom
sbom: ## write bills of materials (CycloneDX) to dist/
	@for platform in linux/$(LINUX_ARCH) windows/amd64 darwin/arm64; do \
		$(GO) run ./packaging/sbom -version '$(VERSION)' -platform $$platform \
			-o $(DIST)/search-mcp-$(VERSION)-$$(echo $$platform | tr / -).cdx.json || exit 1; \
	done

.PHONY: package-linux
package-linux: setup sbom ## build .deb, .rpm and .tar.gz for Linux and this machine's architecture
	@mkdir -p $(LINUX)
	CGO_ENABLED=0 GOOS=linux $(GO) build $(RELEASE) -ldflags '$(RELEASE_LDFLAGS)' -o $(LINUX)/ ./app/cmd/search-mcp ./app/cmd/search-mcp-app
	CGO_ENABLED=1 GOOS=linux $(HARDENED) $(GO) build $(RELEASE) -buildmode=pie -ldflags '$(RELEASE_LDFLAGS) $(HARDENED_LDFLAGS)' \
		-o $(LINUX)/ ./app/cmd/search-mcp-worker ./app/cmd/search-mcp-window
	@LIBRARIES=$(CURDIR)/packaging/native/linux-$(LINUX_ARCH)/lib SBOM=$(DIST)/search-mcp-$(VERSION)-linux-$(LINUX_ARCH).cdx.json \
		packaging/linux/pack.sh $(LINUX) $(DIST) $(LINUX_ARCH)

# Platforms without committed native libraries get only the command line.
.PHONY: package-bridges
package-bridges: ## build the command line and bridge alone for platforms without native libraries
	@for platform in linux/arm64 windows/arm64 darwin/amd64 darwin/arm64; do \
		packaging/bridge.sh $$platform $(DIST) '$(RELEASE_LDFLAGS)' || exit 1; \
	done

.PHONY: package-windows
package-windows: sbom ## cross-compile the installer for windows/amd64 with mingw-w64
	@packaging/windows/source.sh $(DIST)/build/windows-amd64
	@packaging/windows/resources.sh
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GO) build $(RELEASE) -ldflags '$(RELEASE_LDFLAGS)' -o $(DIST)/build/windows-amd64/bin/ ./app/cmd/search-mcp
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GO) build $(RELEASE) -ldflags '$(RELEASE_LDFLAGS) -H=windowsgui' -o $(DIST)/build/windows-amd64/bin/ ./app/cmd/search-mcp-app
	CGO_ENABLED=1 GOOS=windows GOARCH=amd64 $(WINDOWS_CC) $(GO) build -modfile=$(DIST)/build/windows-amd64/go.mod $(RELEASE) \
		-ldflags '$(RELEASE_LDFLAGS) -H=windowsgui' -o $(DIST)/build/windows-amd64/bin/ ./app/cmd/search-mcp-worker ./app/cmd/search-mcp-window
	@packaging/windows/pack.sh $(DIST)/build/windows-amd64/bin $(DIST)

.PHONY: package-macos
package-macos: setup ## build .app and .dmg on a Mac, or print the steps elsewhere
	@RELEASE_LDFLAGS='$(RELEASE_LDFLAGS)' packaging/macos/pack.sh $(DIST)

.PHONY: package-mcpb
package-mcpb: ## build the bundle for Claude Desktop
	@if [ -x packaging/mcpb/pack.sh ]; then packaging/mcpb/pack.sh $(DIST); fi

.PHONY: sums
sums: ## write SHA256SUMS of dist/ and sign it if a key is set
	@packaging/sums.sh $(DIST)

.PHONY: test-package
test-package: setup-package ## install, use, upgrade, remove and purge the packages in a new Debian (root, debootstrap)
	@packaging/test/clean-root.sh $(DIST)

.PHONY: test-container
test-container: setup-package ## run the steps of packaging/container/Dockerfile in a new Debian (root, debootstrap)
	@packaging/test/container.sh $(DIST)

.PHONY: libraries
libraries: ## unpack the native libraries of this platform
	@packaging/native/unpack.sh

# Used by the release workflow.
.PHONY: release-keys macos-keychain publish
release-keys:
	@packaging/keys.sh '$(KEYS)'
macos-keychain:
	@packaging/macos/keychain.sh
publish: # creates a draft for a maintainer to review and publish
	gh release create v$(VERSION) --draft --title "Search MCP $(VERSION)" --notes-file CHANGELOG.md $(DIST)/search-mcp* $(DIST)/SHA256SUMS*

.PHONY: lint-release
lint-release: setup-package ## run actionlint over the workflows
	$$($(GO) -C packaging/tools/pack tool -n actionlint)
