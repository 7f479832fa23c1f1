#!/bin/sh
# Verifies what a folder of artefacts claims: the signature over SHA256SUMS, each file's hash, and the signatures inside the
# packages. Prints a line for each and fails at the first that is wrong or missing.
#
#   verify.sh DIST PUBLIC_KEY [WINDOWS_ROOT]
#
# PUBLIC_KEY is the armoured key that you trust, from elsewhere than DIST; WINDOWS_ROOT a PEM file with the root certificates that
# you trust for Authenticode (without it .exe files are verified by their hashes only, which is reported). Needs gpg, ar, rpm for
# .rpm files and osslsigncode for .exe files.
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
gpg --batch --quiet --verify SHA256SUMS.asc SHA256SUMS 2>"$scratch/log" || { cat "$scratch/log" >&2; fail "SHA256SUMS: no good signature"; }
echo "SHA256SUMS: signature is good"
sha256sum --quiet --check --strict SHA256SUMS || fail "a file is not what SHA256SUMS says"
echo "SHA256SUMS: $(wc -l <SHA256SUMS) files have their hashes"
for file in search-mcp*; do
	[ "$file" = search-mcp.asc ] || grep -q "  $file\$" SHA256SUMS || fail "$file is not in SHA256SUMS"
done

for deb in *.deb; do
	[ -f "$deb" ] || continue
	mkdir "$scratch/deb"
	(cd "$scratch/deb" && ar x "$OLDPWD/$deb")
	[ -f "$scratch/deb/_gpgorigin" ] || fail "$deb is not signed"
	cat "$scratch"/deb/debian-binary "$scratch"/deb/control.tar.* "$scratch"/deb/data.tar.* |
		gpg --batch --quiet --verify "$scratch/deb/_gpgorigin" - 2>"$scratch/log" || { cat "$scratch/log" >&2; fail "$deb: no good signature"; }
	rm -rf "$scratch/deb"
	echo "$deb: signature is good"
done

for rpm in *.rpm; do
	[ -f "$rpm" ] || continue
	rpmkeys --dbpath "$scratch/rpmdb" --import "$key"
	# «NOKEY» and an unsigned package are no failure to rpm; here they are.
	rpmkeys --dbpath "$scratch/rpmdb" --checksig --verbose "$rpm" >"$scratch/log" || { cat "$scratch/log" >&2; fail "$rpm: no good signature"; }
	grep -qi 'signature.*: OK' "$scratch/log" || { cat "$scratch/log" >&2; fail "$rpm is not signed by this key"; }
	echo "$rpm: signature is good"
done

for exe in *.exe; do
	[ -f "$exe" ] || continue
	if [ -z "$root" ]; then
		echo "$exe: Authenticode is not looked at: no root certificate was given"
		continue
	fi
	osslsigncode verify -CAfile "$root" -in "$exe" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "$exe: no good signature"; }
	echo "$exe: signature is good"
done
