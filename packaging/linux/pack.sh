#!/bin/sh
# Makes the Linux packages of a version from programs built for release: .deb, .rpm and a relocatable .tar.gz.
#
#   pack.sh PROGRAMS DIST ARCH
#
# From the environment: VERSION, SOURCE_DATE_EPOCH, LIBRARIES, SBOM (see stage.sh), NFPM (the program), and for signatures
# SIGNING_KEY_FILE, an armoured OpenPGP private key (NFPM_PASSPHRASE unlocks it); without it the packages are not signed.
set -eu
programs=$(realpath "$1") dist=$(realpath -m "$2") arch=$3
cd "$(dirname "$0")/../.."
mkdir -p "$dist/build"
stage=$dist/build/stage-linux-$arch
config=$dist/build/nfpm-$arch.yaml

packaging/linux/stage.sh "$programs" "$stage"
sed -e "s|@VERSION@|$VERSION|" -e "s|@ARCH@|$arch|" -e "s|@STAGE@|$stage|" -e "s|@SIGNING_KEY_FILE@|${SIGNING_KEY_FILE:-}|" \
	-e "s|@DATE@|$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)|" packaging/linux/nfpm.yaml >"$config"
for packager in deb rpm; do
	file=$dist/search-mcp-$VERSION-linux-$arch.$packager
	"$NFPM" package --config "$config" --packager $packager --target "$file" >"$config.log" || { cat "$config.log" >&2; exit 1; }
	echo "$file"
done

# The archive: the same tree, with a service for the home folder and a file that says how.
name=search-mcp-$VERSION-linux-$arch
tree=$dist/build/$name
rm -rf "$tree"
cp -a "$stage" "$tree"
sed -i 's|/usr/bin/|%h/.local/bin/|' "$tree/lib/systemd/user/search-mcp.service"
sed -e "s|@VERSION@|$VERSION|g" -e "s|@ARCH@|$arch|g" packaging/linux/README.archive >"$tree/README"
chmod 644 "$tree/README"
packaging/linux/tar.sh "$dist/build" "$name" "$dist/$name.tar.gz"
rm -rf "$tree"
echo "$dist/$name.tar.gz"
