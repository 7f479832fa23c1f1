#!/bin/sh
# Makes an empty Debian for a test, unless one exists from an earlier run. Needs root, debootstrap and a network.
#
#   debian.sh FOLDER [RELEASE]      (default: bookworm)
set -eu
base=$1 release=${2:-bookworm}
[ ! -f "$base/etc/debian_version" ] || exit 0
rm -rf "$base.part"
# shellcheck disable=SC2016 # apt expands it
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep debian | grep -v -m 1 security || true)
mkdir -p "$(dirname "$base")"
debootstrap --variant=minbase "$release" "$base.part" ${mirror:+"$mirror"}
mv "$base.part" "$base"
