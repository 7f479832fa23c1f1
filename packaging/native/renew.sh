#!/bin/sh
# Renews the committed archives of the native libraries, and their hashes in libraries.txt (make native). To renew to a new version, first write the
# version and the hash of its wheel into the table. Needs xz, binutils, python3, and the programs of build-lancedb.sh.
#
#   renew.sh [GOOS/GOARCH [LIBRARY]]     (default: all libraries for this machine's platform)
set -eu
cd "$(dirname "$0")"
platform=${1:-$(go env GOOS)/$(go env GOARCH)} only=${2:-}
folder=$(echo "$platform" | tr / -)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp libraries.txt "$work/table"
grep "^$platform ${only:-.*} " libraries.txt >"$work/rows" || { echo "renew: no such library for $platform is in libraries.txt" >&2; exit 1; }
while read -r _ library version _ file sha256 needs wheel; do
	mkdir -p "$folder"
	if [ "$wheel" = - ]; then
		./build-lancedb.sh "$folder" </dev/null
		xz -dc "$folder/$file.xz" >"$work/library"
	else
		./wheel.sh "$library" "$version" "$wheel" "$work/library" ../../assets/licences
		xz -9e --threads=1 --stdout "$work/library" >"$folder/$file.xz" # one thread, for reproducible bytes
	fi
	new=$(sha256sum "$work/library" | cut -d ' ' -f 1)
	case $platform in linux/*)
		glibc=$(objdump -T "$work/library" | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -n 1)
		cpu=$(echo "$needs" | grep -o 'x86-64-v3' || true)
		needs=glibc-${glibc#GLIBC_}${cpu:+,$cpu}
		;;
	esac
	sed -i "s|^\($platform $library .* $file\) $sha256 [^ ]* |\1 $new $needs |" "$work/table"
	echo "$library $version for $platform: $new"
done <"$work/rows"
cp "$work/table" libraries.txt
