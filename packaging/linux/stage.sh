#!/bin/sh
# Creates the tree that is installed on Linux below PREFIX. The archive contains this tree, and .deb and .rpm install it to /usr.
#
#   stage.sh PROGRAMS PREFIX
#
# PROGRAMS  folder with release builds of search-mcp, search-mcp-app, search-mcp-worker and search-mcp-window
# PREFIX    folder to create; an existing folder is replaced
#
# Environment: VERSION, SOURCE_DATE_EPOCH (the date of all files), LIBRARIES (folder of the native libraries), SBOM, HOMEPAGE (may be empty), and
# MODEL (folder of the model; tests set it).
set -eu
repository=$(cd "$(dirname "$0")/../.." && pwd)
here=$repository/packaging/linux
programs=$1 prefix=$2
date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)
id=io.searchmcp.app

rm -rf "$prefix"
mkdir -p "$prefix"

# fill FILE TO copies a file of this folder and fills in the version and the date.
fill() {
	case $VERSION in *-*) kind=development ;; *) kind=stable ;; esac
	mkdir -p "$(dirname "$2")"
	sed -e "s|@VERSION@|$VERSION|g" -e "s|@DATE@|$date|g" -e "s|@TYPE@|$kind|g" "$here/$1" >"$2"
}

for program in search-mcp search-mcp-app search-mcp-worker search-mcp-window; do
	install -D -m 755 "$programs/$program" "$prefix/bin/$program"
done
for library in "$LIBRARIES"/*.so; do
	install -D -m 644 "$library" "$prefix/lib/search-mcp/$(basename "$library")"
done
for file in minilm-l6-v2-int8.onnx vocab.txt model.json LICENSE; do
	install -D -m 644 "${MODEL:-$repository/assets/model}/$file" "$prefix/share/search-mcp/model/$file"
done

install -D -m 644 "$here/$id.desktop" "$prefix/share/applications/$id.desktop"
fill $id.metainfo.xml "$prefix/share/metainfo/$id.metainfo.xml"
[ -z "${HOMEPAGE:-}" ] || sed -i "s|^  <launchable|  <url type=\"homepage\">$HOMEPAGE</url>\n&|" "$prefix/share/metainfo/$id.metainfo.xml"
fill search-mcp.service "$prefix/lib/systemd/user/search-mcp.service"
for size in 16 22 24 32 48 64 128 256; do
	install -D -m 644 "$repository/assets/icons/app-$size.png" "$prefix/share/icons/hicolor/${size}x$size/apps/$id.png"
done
install -D -m 644 "$repository/assets/icons/app.png" "$prefix/share/icons/hicolor/512x512/apps/$id.png"
install -D -m 644 "$repository/assets/icons/app.svg" "$prefix/share/icons/hicolor/scalable/apps/$id.svg"
(cd "$repository" && go run ./packaging/manual -o "$prefix/share" -version "$VERSION")
for page in search-mcp-app.1 search-mcp-window.1 search-mcp-worker.1; do
	fill $page "$prefix/share/man/man1/$page"
done
gzip -9 -n "$prefix"/share/man/man1/*.1

doc=$prefix/share/doc/search-mcp
install -D -m 644 "$here/copyright" "$doc/copyright"
# The documentation, with the pictures and files that it links to.
(cd "$repository" && {
	ls README.md CHANGELOG.md ARCHITECTURE.md BENCHMARKS.md CONTRIBUTING.md engine/sources/archive/schema.sql packaging/container/Dockerfile
	find docs -name '*.md' -o -name '*.svg' -o -name requirements.tsv
	grep -oh 'assets/screenshots/[a-z0-9-]*\.png' README.md docs/*.md
} | sort -u) | while read -r file; do
	install -D -m 644 "$repository/$file" "$doc/$file"
done
install -D -m 644 "$SBOM" "$doc/sbom.cdx.json"
install -D -m 644 "$repository/LICENSE" "$doc/licences/LICENSE.txt"
install -D -m 644 "$repository/assets/model/LICENSE" "$doc/licences/model-LICENSE.txt"
for text in "$repository"/assets/licences/*.txt; do
	install -D -m 644 "$text" "$doc/licences/$(basename "$text")"
done

chmod -R u=rwX,go=rX "$prefix"
find "$prefix" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
