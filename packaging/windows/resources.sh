#!/bin/sh
# Writes icon, version and manifest of the programs as object files next to their main packages, where the linker includes them. Environment:
# VERSION, WINRES (the program go-winres).
set -eu
cd "$(dirname "$0")/../.."
# resource PROGRAM MANIFEST DESCRIPTION
resource() {
	"$WINRES" simply --arch amd64 --icon assets/icons/app.png --manifest "$2" \
		--product-name "Search MCP" --product-version "$VERSION" --file-version "$VERSION" \
		--file-description "$3" --original-filename "$1.exe" --copyright "The Search MCP maintainers. Apache License 2.0." \
		--out "app/cmd/$1/rsrc"
}
resource search-mcp cli "Search MCP command line"
resource search-mcp-app gui "Search MCP"
resource search-mcp-worker gui "Search MCP native code"
resource search-mcp-window gui "Search MCP window"
