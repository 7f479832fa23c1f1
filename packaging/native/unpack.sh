#!/bin/sh
# Brings packaging/native/<goos>-<goarch>/lib to the state of libraries.txt. It keeps libraries with the right hash and unpacks the others from the
# committed archives. pip fetches ONNX Runtime if no archive is committed. Needs xz.
#
#   unpack.sh [GOOS/GOARCH [LIBRARY]]     (default: all libraries for this machine's platform)
#
# NATIVE is the folder of libraries.txt; tests set it. Processes may run this script at the same time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${NATIVE:-$here}"
own=$(go env GOOS)/$(go env GOARCH)
platform=${1:-$own} only=${2:-}
folder=$(echo "$platform" | tr / -)
fail() { echo "native libraries: $*" >&2; exit 1; }
# matches FILE HASH
matches() { [ -f "$1" ] && [ "$({ sha256sum "$1" 2>/dev/null || shasum -a 256 "$1"; } | cut -d ' ' -f 1)" = "$2" ]; }
older() { [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# check LIBRARY NEEDS fails if this machine can't load the library.
check() {
	glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2) || glibc='' # musl's getconf does not know the name
	need=$(echo "$2" | sed -n 's/.*glibc-\([0-9.]*\).*/\1/p')
	if [ -n "$need" ] && [ -n "$glibc" ] && older "$glibc" "$need"; then
		fail "$1 needs glibc $need (Debian 12, Ubuntu 22.04 or later), this machine has $glibc"
	fi
	case $2 in *x86-64-v3*)
		[ ! -r /proc/cpuinfo ] || grep -qw avx2 /proc/cpuinfo ||
			fail "$1 is compiled for x86-64-v3 (a processor with AVX2, 2013 or later), which this machine lacks; make native builds it for another"
		;;
	esac
}

[ -f libraries.txt ] || fail "libraries.txt is missing"
found=
while read -r of library version _ file sha256 needs wheel; do
	[ "$of $library" = "$platform ${only:-$library}" ] || continue
	found=yes
	[ "$platform" != "$own" ] || check "$library" "$needs"
	path=$folder/lib/$file
	if [ "$sha256" = - ]; then
		[ -s "$path" ] || fail "no $library is committed for $platform (make native builds it)"
		echo "$path was built elsewhere and is not verified"
		continue
	fi
	if matches "$path" "$sha256"; then continue; fi
	mkdir -p "$folder/lib"
	part=$(mktemp "$folder/lib/.part-XXXXXX")
	trap 'rm -f "$part"' EXIT
	if [ -f "$folder/$file.xz" ]; then
		xz -dc "$folder/$file.xz" >"$part" || fail "$folder/$file.xz can't be decompressed"
	elif [ "$wheel" != - ]; then
		"$here/wheel.sh" "$library" "$version" "$wheel" "$part"
	else
		fail "no $library is committed for $platform (make native builds it)"
	fi
	matches "$part" "$sha256" || fail "$library for $platform does not have the hash in libraries.txt"
	chmod 755 "$part"
	mv -f "$part" "$path"
	echo "unpacked $library $version to $path"
done <libraries.txt
[ -n "$found" ] || fail "no library for $platform is in libraries.txt"
