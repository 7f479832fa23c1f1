#!/bin/sh
# Makes a release as far as this machine can: builds every package, signs, verifies each signature, installs the packages in an empty root
# and upgrades the .deb from an older version's, with a project indexed. Needs root, for the trial.
#
#   release.sh DIST OLDER      (OLDER: the commit to upgrade from, or a .deb)
#
# SIGNING_KEY_FILE and WINDOWS_CERTIFICATE as for make package; without a signing key those in KEYS are used, made there once by keys.sh.
set -eu
dist=$(realpath -m "$1") older=$2
cd "$(dirname "$0")/.."

keys=${KEYS:-${XDG_CONFIG_HOME:-$HOME/.config}/searchmcp-release}
if [ -z "${SIGNING_KEY_FILE:-}" ]; then
	packaging/keys.sh -own "$keys"
	export SIGNING_KEY_FILE="$keys/signing.asc" WINDOWS_CERTIFICATE="$keys/windows.pem" WINDOWS_KEY="$keys/windows.key"
fi

make package
if [ "$SIGNING_KEY_FILE" = "$keys/signing.asc" ]; then
	packaging/verify.sh "$dist" "$keys/search-mcp.asc" "$WINDOWS_CERTIFICATE"
else
	packaging/verify.sh "$dist" "$dist/search-mcp.asc" # whether the key is the right one, its owner says
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
