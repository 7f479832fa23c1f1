#!/bin/sh
# Prints the folder of the Debian 13 in which the programs for Windows are tested. Debian 13 has Wine 10; Wine 8 of Debian 12 lacks functions
# that Go's runtime calls. With "make" it creates the folder first, unless it exists (two minutes, 1.7 GB). Creating it needs root, debootstrap
# and a network.
#
#   root.sh [make]
set -eu
cd "$(dirname "$0")/../../.."
root=${XDG_CACHE_HOME:-$HOME/.cache}/searchmcp/wine
# Wine, displays in memory with OpenGL in software, screenshots and simulated input.
packages="wine wine64 xvfb xauth libgl1-mesa-dri libgl1 libegl1 x11-apps x11-utils netpbm xdotool fonts-dejavu-core"
made=$root/etc/search-mcp-trial

if [ "${1:-}" = make ] && [ "$(cat "$made" 2>/dev/null)" != "$packages" ]; then
	[ "$(id -u)" = 0 ] || { echo "wine: needs root, for chroot" >&2; exit 1; }
	packaging/test/debian.sh "$root" trixie >&2
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	# shellcheck disable=SC2086 # a list
	chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 sh -ec '
		apt-get update -q
		apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io "$@"
		apt-get clean' install $packages >&2
	printf '%s\n' "$packages" >"$made"
fi
[ -f "$made" ] || exit 1
echo "$root"
