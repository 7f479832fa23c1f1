#!/bin/sh
# Writes the keys that sign a release to files that only this user can read.
#
#   keys.sh FOLDER        writes the secrets of a release workflow (SIGNING_KEY, WINDOWS_CERTIFICATE_PEM and WINDOWS_KEY_PEM in the environment)
#                         and prints NAME=file lines with the variables for make package; empty secrets are skipped
#   keys.sh -own FOLDER   generates keys for tests once: signing.asc (OpenPGP) with the public key search-mcp.asc, windows.pem and windows.key
set -eu
umask 077
if [ "$1" = -own ]; then
	mkdir -p "$2"
	if [ ! -s "$2/signing.asc" ]; then
		GNUPGHOME=$(mktemp -d)
		export GNUPGHOME
		trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
		gpg --batch --quiet --passphrase '' --quick-gen-key "$("$(dirname "$0")/maintainer.sh")" rsa3072 sign never
		gpg --batch --quiet --armor --export --output "$2/search-mcp.asc"
		gpg --batch --quiet --armor --export-secret-keys --output "$2/signing.asc"
		echo "made $2/signing.asc; publish search-mcp.asc, so that users can verify signatures"
	fi
	if [ ! -s "$2/windows.pem" ]; then
		openssl req -x509 -newkey rsa:3072 -nodes -days 1825 -subj '/CN=Search MCP' -addext extendedKeyUsage=codeSigning \
			-addext keyUsage=digitalSignature -keyout "$2/windows.key" -out "$2/windows.pem" 2>/dev/null
		echo "made $2/windows.pem, which Windows trusts only if it is installed there"
	fi
	exit
fi
mkdir -p "$1"
# keep TEXT FILE VARIABLE
keep() {
	[ -n "$1" ] || return 0
	printf '%s\n' "$1" >"$2"
	echo "$3=$2"
}
keep "${SIGNING_KEY:-}" "$1/signing.asc" SIGNING_KEY_FILE
keep "${WINDOWS_CERTIFICATE_PEM:-}" "$1/windows.pem" WINDOWS_CERTIFICATE
keep "${WINDOWS_KEY_PEM:-}" "$1/windows.key" WINDOWS_KEY
