#!/bin/sh
# Writes SHA256SUMS over the artefacts in a folder, and signs it when there is a key.
#
#   sums.sh DIST
#
# SIGNING_KEY_FILE is an armoured OpenPGP private key, NFPM_PASSPHRASE unlocks it (the names that the package builder uses).
# Then SHA256SUMS.asc is its signature and search-mcp.asc the public key; without a key they are unsigned, which is reported.
set -eu
cd "$1"
rm -f SHA256SUMS SHA256SUMS.asc search-mcp.asc
find . -maxdepth 1 -type f -name 'search-mcp*' ! -name '*.part*' | sed 's|^\./||' | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum >SHA256SUMS.part
mv SHA256SUMS.part SHA256SUMS

if [ -z "${SIGNING_KEY_FILE:-}" ]; then
	echo "SHA256SUMS is written and not signed: SIGNING_KEY_FILE is not set"
	exit
fi
GNUPGHOME=$(mktemp -d) # a temporary keyring
export GNUPGHOME
trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
gpg --batch --quiet --import "$SIGNING_KEY_FILE"
printf '%s' "${NFPM_PASSPHRASE:-}" | gpg --batch --yes --quiet --pinentry-mode loopback --passphrase-fd 0 --armor --detach-sign --output SHA256SUMS.asc SHA256SUMS
gpg --batch --yes --quiet --armor --export --output search-mcp.asc
echo "SHA256SUMS is written and signed"
