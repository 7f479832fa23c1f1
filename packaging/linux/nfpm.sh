#!/bin/sh
# Makes a .deb and an .rpm from a staged tree.
#
#   nfpm.sh CONFIG STAGE ARCH DIST NAME          (CONFIG: nfpm.yaml or bridge.yaml; NAME: the file name without .deb or .rpm)
#
# Environment: VERSION, SOURCE_DATE_EPOCH, MAINTAINER, HOMEPAGE (may be empty), NFPM (the program), and SIGNING_KEY_FILE, an armoured OpenPGP
# private key that NFPM_PASSPHRASE unlocks. Without a key the packages are not signed.
set -eu
from=$1 stage=$2 arch=$3 dist=$4 name=$5
package=$(sed -n 's/^name: //p' "$from")
changelog=$dist/build/$name.changelog.gz
# Debian's policy requires a changelog (section 4.4). nfpm marks a pre-release with ~, which sorts before the release.
gzip -9 -n >"$changelog" <<TEXT
$package ($(printf %s "$VERSION" | sed 's/-/~/')) stable; urgency=medium

  * CHANGELOG.md of search-mcp lists the changes of each version.

 -- $MAINTAINER  $(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%a, %d %b %Y %H:%M:%S +0000')
TEXT
for packager in deb rpm; do
	config=$dist/build/$name.$packager.yaml file=$dist/$name.$packager
	sed -e "s|@VERSION@|$VERSION|" -e "s|@ARCH@|$arch|" -e "s|@STAGE@|$stage|" -e "s|@MAINTAINER@|$MAINTAINER|" \
		-e "s|@CHANGELOG@|$changelog|" -e "s|@SIGNING_KEY_FILE@|${SIGNING_KEY_FILE:-}|" \
		-e "s|@DATE@|$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)|" "$from" >"$config"
	[ -z "${HOMEPAGE:-}" ] || echo "homepage: $HOMEPAGE" >>"$config"
	[ $packager = rpm ] || sed -i '/^license:/d' "$config" # Debian's control files do not have this field
	"$NFPM" package --config "$config" --packager $packager --target "$file" >"$config.log" || { cat "$config.log" >&2; exit 1; }
	echo "$file"
done
