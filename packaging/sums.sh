#!/bin/sh
# Writes SHA256SUMS for the artefacts in a folder and signs it if a key is set.
#
#   sums.sh DIST
#
# SIGNING_KEY_FILE is an armoured OpenPGP private key, and NFPM_PASSPHRASE unlocks it (nfpm uses the same names). The signature is written to
# SHA256SUMS.asc and the public key to search-mcp.asc. Without a key the script reports that the checksums are unsigned.
set -eu
cd "$1"
rm -f SHA256SUMS SHA256SUMS.asc search-mcp.asc
find . -maxdepth 1 -type f -name 'search-mcp*' ! -name '*.part*' | sed 's|^\./||' | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum >SHA256SUMS.part
mv SHA256SUMS.part SHA256SUMS

if [ -z "${SIGNING_KEY_FILE:-}" ]; then
	echo "SHA256SUMS is written but not signed, because SIGNING_KEY_FILE is not set"
	exit
fi
GNUPGHOME=$(mktemp -d) # a temporary keyring
export GNUPGHOME
trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
gpg --batch --quiet --import "$SIGNING_KEY_FILE"
printf '%s' "${NFPM_PASSPHRASE:-}" | gpg --batch --yes --quiet --pinentry-mode loopback --passphrase-fd 0 --armor --detach-sign --output SHA256SUMS.asc SHA256SUMS
gpg --batch --yes --quiet --armor --export --output search-mcp.asc
echo "SHA256SUMS is written and signed"
