#!/bin/sh
# Verifies a folder of artefacts: the signature of SHA256SUMS, the hash of each file, and the signatures inside the packages. Prints a line for
# each check and fails at the first wrong or missing signature or hash.
#
#   verify.sh DIST PUBLIC_KEY [WINDOWS_ROOT]
#
# PUBLIC_KEY is the armoured key that you trust; don't take it from DIST. WINDOWS_ROOT is a PEM file with the root certificates that you trust
# for Authenticode; without it only the hashes of .exe files are verified. Needs gpg, ar, rpm for .rpm files and osslsigncode for .exe files.
set -eu
key=$(realpath "$2")
root=${3:+$(realpath "$3")}
cd "$1"
scratch=$(mktemp -d)
GNUPGHOME=$scratch/gnupg
export GNUPGHOME
mkdir -m 700 "$GNUPGHOME"
trap 'gpgconf --kill all; rm -rf "$scratch"' EXIT
gpg --batch --quiet --import "$key"

fail() { echo "verify: $*" >&2; exit 1; }
[ -f SHA256SUMS ] || fail "SHA256SUMS is missing"
gpg --batch --quiet --verify SHA256SUMS.asc SHA256SUMS 2>"$scratch/log" || { cat "$scratch/log" >&2; fail "SHA256SUMS: the signature is missing or wrong"; }
echo "SHA256SUMS: the signature is valid"
sha256sum --quiet --check --strict SHA256SUMS || fail "a file does not match SHA256SUMS"
echo "SHA256SUMS: $(wc -l <SHA256SUMS) files match their hashes"
for file in search-mcp*; do
	[ "$file" = search-mcp.asc ] || grep -q "  $file\$" SHA256SUMS || fail "$file is not in SHA256SUMS"
done

for deb in *.deb; do
	[ -f "$deb" ] || continue
	mkdir "$scratch/deb"
	(cd "$scratch/deb" && ar x "$OLDPWD/$deb")
	[ -f "$scratch/deb/_gpgorigin" ] || fail "$deb is not signed"
	cat "$scratch"/deb/debian-binary "$scratch"/deb/control.tar.* "$scratch"/deb/data.tar.* |
		gpg --batch --quiet --verify "$scratch/deb/_gpgorigin" - 2>"$scratch/log" || { cat "$scratch/log" >&2; fail "$deb: the signature is missing or wrong"; }
	rm -rf "$scratch/deb"
	echo "$deb: the signature is valid"
done

for rpm in *.rpm; do
	[ -f "$rpm" ] || continue
	rpmkeys --dbpath "$scratch/rpmdb" --import "$key"
	# rpm accepts an unknown key and an unsigned package; this script does not.
	rpmkeys --dbpath "$scratch/rpmdb" --checksig --verbose "$rpm" >"$scratch/log" || { cat "$scratch/log" >&2; fail "$rpm: the signature is missing or wrong"; }
	grep -qi 'signature.*: OK' "$scratch/log" || { cat "$scratch/log" >&2; fail "$rpm is not signed by this key"; }
	echo "$rpm: the signature is valid"
done

for exe in *.exe; do
	[ -f "$exe" ] || continue
	if [ -z "$root" ]; then
		echo "$exe: Authenticode is not verified, because no root certificate was given"
		continue
	fi
	osslsigncode verify -CAfile "$root" -in "$exe" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "$exe: the signature is missing or wrong"; }
	echo "$exe: the signature is valid"
done
