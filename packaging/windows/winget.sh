#!/bin/sh
# Writes the manifest of the Windows Package Manager for an installer to DIST/winget, for `winget validate` and submission. HOMEPAGE
# (packaging/package.mk) is the address of the release files. Without it nothing is written.
#
#   winget.sh INSTALLER DIST
set -eu
installer=$1 dist=$2
cd "$(dirname "$0")/../.."
if [ -z "${HOMEPAGE:-}" ]; then
	echo "no manifest for winget: HOMEPAGE is not set"
	exit
fi
[ "$(echo "$VERSION" | tr -d '0-9.')" = "" ] || { echo "no manifest for winget: $VERSION is not a release"; exit; }
sum=$(sha256sum "$installer" | cut -d ' ' -f 1 | tr a-f A-F)
mkdir -p "$dist/winget"
for part in version installer locale.en-US; do
	to=$dist/winget/SearchMCP.SearchMCP.$part.yaml
	[ $part != version ] || to=$dist/winget/SearchMCP.SearchMCP.yaml
	sed -e "s|@VERSION@|$VERSION|" -e "s|@SHA256@|$sum|" -e "s|@HOMEPAGE@|$HOMEPAGE|" \
		-e "s|@DATE@|$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)|" \
		-e "s|@URL@|$HOMEPAGE/releases/download/v$VERSION/$(basename "$installer")|" "packaging/windows/winget/$part.yaml" >"$to"
done
echo "$dist/winget"
