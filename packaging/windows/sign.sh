#!/bin/sh
# Signs a Windows program or installer in place (Authenticode) if a certificate is set, and otherwise reports that it is not signed.
#
#   sign.sh FILE
#
# WINDOWS_CERTIFICATE  PEM file with the certificate and the intermediate certificates
# WINDOWS_KEY          PEM file with the private key; WINDOWS_KEY_PASSPHRASE unlocks it
# WINDOWS_TIMESTAMP    address of a timestamp authority (RFC 3161); without it the signature expires with the certificate
set -eu
if [ -z "${WINDOWS_CERTIFICATE:-}" ]; then
	echo "$(basename "$1") is not signed: WINDOWS_CERTIFICATE is not set"
	exit
fi
set -- "$1" -n "Search MCP" -h sha256 -certs "$WINDOWS_CERTIFICATE" -key "$WINDOWS_KEY"
file=$1
shift
[ -z "${WINDOWS_TIMESTAMP:-}" ] || set -- "$@" -ts "$WINDOWS_TIMESTAMP"
if [ -n "${WINDOWS_KEY_PASSPHRASE:-}" ]; then
	passphrase=$(mktemp)
	trap 'rm -f "$passphrase"' EXIT
	printf '%s' "$WINDOWS_KEY_PASSPHRASE" >"$passphrase"
	set -- "$@" -readpass "$passphrase"
fi
osslsigncode sign "$@" -in "$file" -out "$file.signed" >/dev/null
mv "$file.signed" "$file"
echo "$(basename "$file") is signed"
