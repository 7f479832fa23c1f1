#!/bin/sh
# Packs the command line and bridge alone, for a platform whose native libraries are not in this repository. Its README says so.
#
#   bridge.sh GOOS/GOARCH DIST LDFLAGS          (VERSION and SOURCE_DATE_EPOCH from the environment)
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
rm -rf "$tree"
echo "$dist/$name.tar.gz"
