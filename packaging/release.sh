#!/bin/sh
# Builds every package that this machine can build, checks that the build does not depend on its folder, signs and verifies the packages, installs
# them in an empty root, and upgrades the .deb from an older version with an indexed project. Needs root for the installation.
#
#   release.sh DIST OLDER      (OLDER: the commit to upgrade from, or a .deb)
#
# SIGNING_KEY_FILE and WINDOWS_CERTIFICATE are as for make package. Without a signing key it uses the keys in KEYS, which keys.sh generates once.
set -eu
dist=$(realpath -m "$1") older=$2
cd "$(dirname "$0")/.."

keys=${KEYS:-${XDG_CONFIG_HOME:-$HOME/.config}/searchmcp-release}
if [ -z "${SIGNING_KEY_FILE:-}" ]; then
	packaging/keys.sh -own "$keys"
	export SIGNING_KEY_FILE="$keys/signing.asc" WINDOWS_CERTIFICATE="$keys/windows.pem" WINDOWS_KEY="$keys/windows.key"
fi

make package

# Building the commit in another folder gives the same bytes.
copy=$(mktemp -d)
git worktree add -q --detach "$copy" HEAD
"$copy/packaging/bridge.sh" darwin/arm64 "$copy/dist" "$RELEASE_LDFLAGS"
bridge=search-mcp-bridge-$VERSION-darwin-arm64.tar.gz
cmp "$dist/$bridge" "$copy/dist/$bridge" || { echo "release: the build depends on its folder, or the folder has changes" >&2; exit 1; }
git worktree remove --force "$copy"

if [ "$SIGNING_KEY_FILE" = "$keys/signing.asc" ]; then
	packaging/verify.sh "$dist" "$keys/search-mcp.asc" "$WINDOWS_CERTIFICATE"
else
	packaging/verify.sh "$dist" "$dist/search-mcp.asc" # only the owner of the key can confirm that it is the right key
fi

case $older in
*.deb) export OLDER_DEB="$older" ;;
*)
	export OLDER_DEB="$dist/build/older/$older.deb"
	if [ ! -f "$OLDER_DEB" ]; then
		tree=$(mktemp -d)
		git worktree add -q --detach "$tree" "$older"
		trap 'git worktree remove --force "$tree"' EXIT
		env -u VERSION -u SOURCE_DATE_EPOCH -u MAINTAINER -u NFPM -u MAKEFLAGS make -C "$tree" package-linux
		mkdir -p "${OLDER_DEB%/*}"
		cp "$tree"/dist/search-mcp-*.deb "$OLDER_DEB"
	fi
	;;
esac
make test-package
