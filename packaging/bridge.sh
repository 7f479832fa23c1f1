#!/bin/sh
# Packs only the command line and bridge, for a platform without native libraries in this repository. The README in the package explains this.
#
#   bridge.sh GOOS/GOARCH DIST LDFLAGS
#
# Writes a .tar.gz, and for Linux also .deb and .rpm. Environment: VERSION, SOURCE_DATE_EPOCH, and for Linux the variables of linux/nfpm.sh.
set -eu
platform=$1 dist=$(realpath -m "$2") ldflags=$3
cd "$(dirname "$0")/.."
goos=${platform%/*} goarch=${platform#*/}
name=search-mcp-bridge-$VERSION-$goos-$goarch
tree=$dist/build/$name
rm -rf "$tree"
mkdir -p "$tree"
CGO_ENABLED=0 GOOS=$goos GOARCH=$goarch go build -trimpath -tags release -ldflags "$ldflags" -o "$tree/" ./app/cmd/search-mcp
cp LICENSE assets/licences/go-modules.txt "$tree/"
cat >"$tree/README" <<TEXT
Search MCP $VERSION: command line and bridge for $goos/$goarch, without the app.

search-mcp is the command line, and editors start it. It needs the app, search-mcp-app, next to it or where packages install it. The app
needs native libraries that were not built for $goos/$goarch. On a machine with Rust, "make native" and "make build" in the sources
build them, which is untested on this platform. These commands work without the app: search-mcp site validate, search-mcp connect
--help, search-mcp version.
TEXT
chmod -R u=rwX,go=rX "$tree"
packaging/linux/tar.sh "$dist/build" "$name" "$dist/$name.tar.gz"
echo "$dist/$name.tar.gz"

if [ "$goos" = linux ]; then
	stage=$dist/build/stage-$name
	doc=$stage/share/doc/search-mcp-bridge
	rm -rf "$stage"
	mkdir -p "$doc/licences"
	install -D -m 755 "$tree/search-mcp" "$stage/bin/search-mcp"
	go run ./packaging/manual -o "$stage/share" -version "$VERSION"
	gzip -9 -n "$stage"/share/man/man1/*.1
	cp "$tree/README" "$doc/"
	cp packaging/linux/copyright "$doc/copyright"
	cp assets/licences/go-modules.txt "$doc/licences/"
	chmod -R u=rwX,go=rX "$stage"
	find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	packaging/linux/nfpm.sh packaging/linux/bridge.yaml "$stage" "$goarch" "$dist" "$name"
fi
rm -rf "$tree"
