#!/bin/sh
# Packs the command line and bridge alone, for a platform whose native libraries are not in this repository. Its README states that.
#
#   bridge.sh GOOS/GOARCH DIST LDFLAGS
#
# A .tar.gz; for Linux also .deb and .rpm. From the environment: VERSION, SOURCE_DATE_EPOCH, for Linux what linux/nfpm.sh takes.
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

search-mcp is what editors start, and the command line. It needs search-mcp-app, which owns the indexes, beside it or where it is
usually installed; that program needs native libraries which are not built for $goos/$goarch here. On a machine with Rust,
«make native» and «make build» in the sources make them; this combination is untested. Without the app these work:
search-mcp site validate, search-mcp connect --help, search-mcp version.
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
