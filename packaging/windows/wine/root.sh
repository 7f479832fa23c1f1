#!/bin/sh
# Where the programs for Windows are tried: a Debian 13 in a folder of its own, for its Wine 10. Debian 12's Wine 8 lacks
# what Go's runtime asks for. Prints the folder; with «make» makes it first unless an earlier run did (two minutes, 1.7 GB).
# Needs root, debootstrap and a network to make it.
#
#   root.sh [make]
set -eu
cd "$(dirname "$0")/../../.."
root=${XDG_CACHE_HOME:-$HOME/.cache}/searchmcp/wine
# Wine; displays in memory with OpenGL in software, pictures of them, a keyboard.
packages="wine wine64 xvfb xauth libgl1-mesa-dri libgl1 libegl1 x11-apps x11-utils netpbm xdotool fonts-dejavu-core"
made=$root/etc/search-mcp-trial

if [ "${1:-}" = make ] && [ "$(cat "$made" 2>/dev/null)" != "$packages" ]; then
	[ "$(id -u)" = 0 ] || { echo "wine: needs root, for chroot" >&2; exit 1; }
	packaging/test/debian.sh "$root" trixie >&2
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	# shellcheck disable=SC2086 # a list of words
	chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 sh -ec '
		apt-get update -q
		apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io "$@"
		apt-get clean' install $packages >&2
	printf '%s\n' "$packages" >"$made"
fi
[ -f "$made" ] || exit 1
echo "$root"
