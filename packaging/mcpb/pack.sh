#!/bin/sh
# Packs the bundles (.mcpb) with which Claude Desktop installs the bridge, one for each of its platforms. A bundle contains only the bridge. The
# app must be installed from a package; without it the bridge reports that it is missing.
#
#   pack.sh DIST          (VERSION and SOURCE_DATE_EPOCH from the environment)
set -eu
dist=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
for platform in darwin/amd64 darwin/arm64 windows/amd64 linux/amd64; do
	goos=${platform%/*} goarch=${platform#*/}
	program=$dist/build/mcpb/$goos-$goarch/search-mcp
	[ "$goos" != windows ] || program=$program.exe
	CGO_ENABLED=0 GOOS=$goos GOARCH=$goarch go build -trimpath -tags release \
		-ldflags "-s -w -buildid= -X searchmcp/app/version.Version=$VERSION" -o "$program" ./app/cmd/search-mcp
	go run ./packaging/mcpb -program "$program" -platform "$goos" -version "$VERSION" -o "$dist/search-mcp-$VERSION-$goos-$goarch.mcpb"
	echo "$dist/search-mcp-$VERSION-$goos-$goarch.mcpb"
done
rm -rf "$dist/build/mcpb"
